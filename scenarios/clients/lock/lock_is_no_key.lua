-- A job with a uniqueness lock that expires, and a key made of the order.
--
-- Teaches: the lock saves work, the key saves money.
-- Safe: yes.
-- Needs: curl jq.
-- Run: build/psp-harness run scenarios/{a00,b10,d20,d30,g10}_*.lua
--   --client scenarios/clients/lock/lock_is_no_key.lua
return client {
  command   = { "./pay_locked.sh", "order" },
  processes = 2,
  directory = ".",
}
