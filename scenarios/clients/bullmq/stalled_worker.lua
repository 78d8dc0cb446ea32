-- BullMQ: a processor that keeps the event loop busy for longer than its lock lives.
--
-- Teaches: nobody renews the lock meanwhile, so a second worker runs the job beside the first, on a
--   day on which nothing is broken.
-- Safe: no.
-- Needs: redis-server node_modules/bullmq.
-- Run: build/psp-harness run scenarios/a00_*.lua
--   --client scenarios/clients/bullmq/stalled_worker.lua
local shop = require "lib.bullmq_shop"

return shop("stalled_worker.mjs", "naive")
