-- Fifty clients whose backoff has no jitter.
--
-- Teaches: who failed together comes back together: a thundering herd.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run --strict scenarios/clients/scenarios/blink.lua
--   --client scenarios/clients/backoff/without_jitter.lua
return client {
  batch = { "python3", "backoff.py", "none" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
