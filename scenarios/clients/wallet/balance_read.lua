-- A wallet whose debit reads the balance, two at once.
--
-- Teaches: both read it before either writes, and the wallet pays twice.
-- Safe: no.
-- Needs: postgresql python3-psycopg2 user-namespaces.
-- Run: build/psp-harness run scenarios/{a00,b10}_*.lua
--   --client scenarios/clients/wallet/balance_read.lua
local wallet = require "lib.withdraw"

return client {
  prepare   = { "./cluster.sh" },
  service   = { "/usr/bin/python3", "wallet.py", "read" },
  ready     = { port = "{app_port}", timeout = "30s" },
  submit    = wallet.submit,
  claim     = wallet.claim,
  processes = 2,
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
