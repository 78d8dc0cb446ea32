-- A nightly batch with a key for each call.
--
-- Teaches: a batch that died half way is run again, and pays its first half again.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run --orders 3 scenarios/{a00,b10,f10,f20}_*.lua
--   --client scenarios/clients/batch/batch_naive.lua
return client {
  batch     = { "python3", "batch_naive.py" },
  directory = ".",
}
