-- A webhook receiver that believes what it is told, by anybody, in the order in which it comes.
--
-- Teaches: a body is a hint, whoever has sent it; the provider is asked how things stand.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/webhooks/{w10,w30,w60,w70,w80,w90,w95}_*.lua
--   --client scenarios/clients/receiver/body_believed.lua
local hooked = require "lib.hooked"

return client {
  service   = { "python3", "receiver.py", "believe" },
  ready     = { line = "open", timeout = "30s" },
  submit    = hooked.submit,
  claim     = hooked.claim,
  effects   = hooked.effects,
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
