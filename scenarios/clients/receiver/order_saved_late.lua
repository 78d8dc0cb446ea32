-- A webhook receiver whose orders are in the database once they are paid.
--
-- Teaches: the event may come before the answer, and is taken for somebody else's.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/webhooks/{w60,w80,w90}_*.lua
--   --client scenarios/clients/receiver/order_saved_late.lua
local hooked = require "lib.hooked"

return client {
  service   = { "python3", "receiver.py", "late" },
  ready     = { line = "open", timeout = "30s" },
  submit    = hooked.submit,
  claim     = hooked.claim,
  effects   = hooked.effects,
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
