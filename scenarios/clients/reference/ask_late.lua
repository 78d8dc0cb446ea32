-- A client of a provider without keys, which waits before it looks for its reference.
--
-- Teaches: ask when whatever was on its way has arrived and the list has caught up.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run --dialect none scenarios/{a00,b10,c20,d10,e10,f10,f20,k60}_*.lua
--   --client scenarios/clients/reference/ask_late.lua
return client {
  command = { "python3", "pay_by_reference.py", "3" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
