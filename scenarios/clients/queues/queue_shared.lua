-- One queue for two providers, of which one hangs.
--
-- Teaches: the other one's jobs wait as well: who orders is told that it failed, and is charged
--   later.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{clients/scenarios/list_hangs,a00_*}.lua
--   --client scenarios/clients/queues/queue_shared.lua
local ordered = require "lib.ordered"

return client {
  service   = { "python3", "queues.py", "shared" },
  ready     = { port = "{app_port}", timeout = "30s" },
  submit    = ordered.submit,
  claim     = ordered.claim,
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
