-- A webhook receiver with UNIQUE(event id), in one transaction with what is done.
--
-- Teaches: of two at the same moment one inserts; what is signed is heard, in any order, before
--   the answer or after it.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/webhooks/{w10,w30,w60,w70,w80,w90,w95}_*.lua
--   --client scenarios/clients/receiver/event_unique.lua
local hooked = require "lib.hooked"

return client {
  service   = { "python3", "receiver.py", "unique" },
  ready     = { line = "open", timeout = "30s" },
  submit    = hooked.submit,
  claim     = hooked.claim,
  effects   = hooked.effects,
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
