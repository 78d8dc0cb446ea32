-- A completer that retries for 72 hours with a key that lives for 24.
--
-- Teaches: after its life the same key is a new payment.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,f10,f20,f30,g40,h10,q30}_*.lua
--   --client scenarios/clients/completer/retry_72h.lua
return client {
  command = { "python3", "completer.py", "retry" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
