-- Laravel: a job with ShouldBeUnique, in a queue whose `retry_after` is shorter than a
-- call may take.
--
-- Teaches: a job that is held for longer than `retry_after` is delivered to a
--   second worker while the first still works; the lock is about dispatching, not about that.
-- Safe: no.
-- Needs: php-cli php-laravel-framework php-guzzlehttp-guzzle php-sqlite3 php-curl php-mbstring
--   php-xml.
-- Run: build/psp-harness run scenarios/{a00_*,clients/scenarios/slow_call}.lua
--   --client scenarios/clients/laravel/redelivered_job.lua
local shop = require "lib.laravel_shop"

return shop { job = "ChargeUnderLock", workers = 2, retry_after = 3 }
