-- A job that saves its attempt as pending and then charges, and a reconciliation.
--
-- Teaches: the key is made of order and attempt; what is unknown is asked for before it is
--   tried again.
-- Safe: yes.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,c40,d10,d20,e10,f10,f20,g10,g40}_*.lua
--   --client scenarios/clients/job/pending_then_charge.lua
return client {
  command = { "python3", "pending_then_charge.py" },
  workers = { { "python3", "reconcile.py" } },
  claim = function(order)
    local rows = sqlite("orders.db", "SELECT status, payment FROM orders WHERE id = ?", order.id)
    local words = { paid = "succeeded", failed = "failed" }
    local row = rows and rows[1] or {}
    return words[row.status] or "unknown", row.payment
  end,
  patience = "8s",
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
