-- A shop that has the order, as pending, before the first byte leaves, and asks before it pays
-- again.
--
-- Teaches: what was begun is in the database, and the key is made of it.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,d10,e10,f10,f20}_*.lua
--   --client scenarios/clients/service/service_careful.lua
local shop = require "lib.shop"

return client {
  service   = { "python3", "service_careful.py" },
  ready     = { port = "{app_port}", timeout = "30s" },
  submit    = shop.submit,
  claim     = shop.claim,
  directory = ".",
}
