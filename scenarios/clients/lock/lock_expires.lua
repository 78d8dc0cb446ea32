-- A job with a uniqueness lock that expires, and a key for each run.
--
-- Teaches: a lock that expires is no lock: the one who waits for an answer is taken for dead.
-- Safe: no.
-- Needs: curl jq.
-- Run: build/psp-harness run scenarios/{b10,d20,d30}_*.lua
--   --client scenarios/clients/lock/lock_expires.lua
return client {
  command   = { "./pay_locked.sh", "random" },
  processes = 2,
  directory = ".",
}
