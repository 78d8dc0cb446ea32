-- Five tries of the job, and an HTTP client that makes none.
--
-- Teaches: one layer retries, the others report.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run --strict scenarios/{a00,b10,s20,s40}_*.lua
--   --client scenarios/clients/amplification/one_layer.lua
return client {
  command = { "python3", "retries.py", "1", "5" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
