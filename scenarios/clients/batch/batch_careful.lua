-- A nightly batch whose keys are made of the orders.
--
-- Teaches: a key that is made of the order is the same in every run.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run --orders 3 scenarios/{a00,b10,f10,f20}_*.lua
--   --client scenarios/clients/batch/batch_careful.lua
return client {
  batch     = { "python3", "batch_careful.py" },
  directory = ".",
}
