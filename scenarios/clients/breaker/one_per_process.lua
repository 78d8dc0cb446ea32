-- A circuit breaker in each of sixteen workers.
--
-- Teaches: each of them has to find out for itself, and a provider that is down is hit by all.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run --strict scenarios/clients/scenarios/outage.lua
--   --client scenarios/clients/breaker/one_per_process.lua
return client {
  batch = { "python3", "breaker.py", "own" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
