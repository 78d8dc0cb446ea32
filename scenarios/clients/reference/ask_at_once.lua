-- A client of a provider without keys, which looks for its reference at once.
--
-- Teaches: what is not in the list yet may still come.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run --dialect none scenarios/{a00,b10,c20,d10,e10,f10,f20}_*.lua
--   --client scenarios/clients/reference/ask_at_once.lua
return client {
  command = { "python3", "pay_by_reference.py", "0" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
