-- An outbox whose publisher dies between publish and mark, with a key for each publication.
--
-- Teaches: an outbox delivers at least once, never once.
-- Safe: no.
-- Needs: python3.
-- Run: build/psp-harness run scenarios/{a00,b10,c20,e10,f10,f20,g10}_*.lua
--   --client scenarios/clients/outbox/key_per_publication.lua
return client {
  prepare = { "python3", "tables.py" },
  command = { "python3", "order.py" },
  workers = { { "python3", "publisher.py", "each" } },
  claim = function(order)
    local rows = sqlite("orders.db", "SELECT status FROM orders WHERE id = ?", order.id)
    local words = { paid = "succeeded", failed = "failed" }
    return rows and rows[1] and words[rows[1].status] or "unknown"
  end,
  patience = "8s",
  directory = ".",
  environment = { PYTHONPATH = "../lib", PYTHONDONTWRITEBYTECODE = "1" },
}
