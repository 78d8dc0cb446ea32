-- A circuit breaker that sixteen workers share.
--
-- Teaches: what one has learnt, all know; one looks whether it is over.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run --strict scenarios/clients/scenarios/outage.lua
--   --client scenarios/clients/breaker/shared_state.lua
return client {
  batch = { "python3", "breaker.py", "shared" },
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
