-- Fifty clients whose backoff has jitter.
--
-- Teaches: chance spreads them over the whole pause.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run --strict scenarios/clients/scenarios/blink.lua
--   --client scenarios/clients/backoff/with_jitter.lua
return client {
  batch = { "python3", "backoff.py", "jitter" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
