-- BullMQ: a key made of order and attempt, written down before the call; unknown is asked
-- about first.
--
-- Teaches: a job may stall twice, and run beside itself: a stalled one is no failed one
--   (`maxStalledCount`), and nothing depends on the lock.
-- Safe: yes.
-- Needs: redis-server node_modules/bullmq.
-- Run: build/psp-harness run scenarios/{a00,c40,d20,f50,s20}_*.lua
--   --client scenarios/clients/bullmq/careful_worker.lua
local shop = require "lib.bullmq_shop"

return shop("careful_worker.mjs", "careful")
