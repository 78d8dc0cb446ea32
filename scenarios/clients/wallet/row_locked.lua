-- A wallet whose debit locks its row (SELECT … FOR UPDATE), two at once.
--
-- Teaches: the second one waits, reads what is left, and pays for the same debit.
-- Safe: yes.
-- Needs: postgresql python3-psycopg2 user-namespaces.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,f10,f20}_*.lua
--   --client scenarios/clients/wallet/row_locked.lua
local wallet = require "lib.withdraw"

return client {
  prepare   = { "./cluster.sh" },
  service   = { "/usr/bin/python3", "wallet.py", "lock" },
  ready     = { port = "{app_port}", timeout = "30s" },
  submit    = wallet.submit,
  claim     = wallet.claim,
  processes = 2,
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
