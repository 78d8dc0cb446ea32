-- Laravel: a job with ShouldBeUnique, whose lock expires while somebody clicks once more.
--
-- Teaches: the lock keeps a second job out of the queue for as long as `uniqueFor` says,
--   whether the first one has ended or not; a key that is made of the job, not of the order, needs
--   that lock.
-- Safe: no.
-- Needs: php-cli php-laravel-framework php-guzzlehttp-guzzle php-sqlite3 php-curl php-mbstring
--   php-xml.
-- Run: build/psp-harness run scenarios/{a00_*,clients/scenarios/slow_call}.lua
--   --client scenarios/clients/laravel/unique_job.lua
local shop = require "lib.laravel_shop"

return shop { job = "ChargeWithKeyOfJob", workers = 2, retry_after = 90, clicks_again = true }
