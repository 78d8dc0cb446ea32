-- Three tries of the HTTP client times five of the job.
--
-- Teaches: retries multiply: fifteen requests for one order, from everybody at once, keep a
--   provider down.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run --strict scenarios/{a00,b10,s20,s40}_*.lua
--   --client scenarios/clients/amplification/two_layers.lua
return client {
  command = { "python3", "retries.py", "3", "5" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
