-- A completer that asks for the payment before it retries.
--
-- Teaches: whatever was begun is asked for, then no key has to live for ever.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,f10,f20,f30,g40,h10,q30}_*.lua
--   --client scenarios/clients/completer/ask_first.lua
return client {
  command = { "python3", "completer.py", "ask" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
