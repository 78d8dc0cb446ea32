-- A queue for each of two providers, of which one hangs.
--
-- Teaches: what hangs is kept apart, and the page of the shop is as quick as ever.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{clients/scenarios/list_hangs,a00_*}.lua
--   --client scenarios/clients/queues/queue_per_provider.lua
local ordered = require "lib.ordered"

return client {
  service   = { "python3", "queues.py", "separate" },
  ready     = { port = "{app_port}", timeout = "30s" },
  submit    = ordered.submit,
  claim     = ordered.claim,
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
