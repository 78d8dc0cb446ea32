-- A webhook receiver that looks whether it has seen the event.
--
-- Teaches: a duplicate that comes at the same moment has not been seen either.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/webhooks/{w10,w30,w60,w70,w80,w90,w95}_*.lua
--   --client scenarios/clients/receiver/event_selected.lua
local hooked = require "lib.hooked"

return client {
  service   = { "python3", "receiver.py", "select" },
  ready     = { line = "open", timeout = "30s" },
  submit    = hooked.submit,
  claim     = hooked.claim,
  effects   = hooked.effects,
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
