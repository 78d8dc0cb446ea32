-- A nightly batch whose keys are made of the orders.
--
-- Teaches: a key that is made of the order is the same in every run, and what is older than a
--   key is asked for.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run --orders 3 scenarios/{a00,b10,f10,f20,f30}_*.lua
--   --client scenarios/clients/batch/batch_careful.lua
return client {
  batch     = { "python3", "batch_careful.py" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
