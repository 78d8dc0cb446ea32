-- A shop that writes down that an order is paid once it knows.
--
-- Teaches: who clicks again after a lost answer or a crash pays again.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,d10,e10,f10,f20}_*.lua
--   --client scenarios/clients/service/service_naive.lua
local shop = require "lib.shop"

return client {
  service   = { "python3", "service_naive.py" },
  ready     = { port = "{app_port}", timeout = "30s" },
  submit    = shop.submit,
  claim     = shop.claim,
  directory = ".",
}
