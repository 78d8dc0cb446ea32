-- Laravel: `Http::retry(3)` in a job that is tried five times.
--
-- Teaches: retries multiply: an outage or a declined card gets 15 requests, and then the
--   last error is taken for the outcome; the key is right, so nobody is charged twice.
-- Safe: no.
-- Needs: php-cli php-laravel-framework php-guzzlehttp-guzzle php-sqlite3 php-curl php-mbstring
--   php-xml.
-- Run: build/psp-harness run scenarios/{a00,d20,g10,s40}_*.lua
--   --client scenarios/clients/laravel/retried_job.lua
local shop = require "lib.laravel_shop"

return shop { job = "ChargeWithRetries" }
