-- BullMQ: a processor that charges and then writes that down.
--
-- Teaches: when a worker dies, its lock expires and another one runs the job, which is what every
--   deployment does that does not wait for the jobs.
-- Safe: no.
-- Needs: redis-server node_modules/bullmq.
-- Run: build/psp-harness run scenarios/{a00,d20,f20}_*.lua
--   --client scenarios/clients/bullmq/naive_worker.lua
local shop = require "lib.bullmq_shop"

return shop("naive_worker.mjs", "naive")
