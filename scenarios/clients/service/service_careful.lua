-- A shop that has the order, as pending, before the first byte leaves, and asks before it pays
-- again.
--
-- Teaches: what was begun is in the database, and the key is made of it; a new one only for a key
--   that is spent, and when there is no payment.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,c40,d10,e10,e50,e60,f10,f20,s40}_*.lua
--   --client scenarios/clients/service/service_careful.lua
local shop = require "lib.shop"

return client {
  service   = { "python3", "service_careful.py" },
  ready     = { port = "{app_port}", timeout = "30s" },
  submit    = shop.submit,
  claim     = shop.claim,
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
