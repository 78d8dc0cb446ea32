-- Laravel: a key made of order and attempt, written down before the call; unknown is asked
-- about first.
--
-- Teaches: with the key in the row, neither a lock nor `retry_after` has to be right:
--   here both let the job run twice.
-- Safe: yes.
-- Needs: php-cli php-laravel-framework php-guzzlehttp-guzzle php-sqlite3 php-curl php-mbstring
--   php-xml.
-- Run: build/psp-harness run
--   scenarios/{a00_*,c40_*,d20_*,f20_*,s20_*,clients/scenarios/slow_call}.lua
--   --client scenarios/clients/laravel/careful_job.lua
local shop = require "lib.laravel_shop"

return shop { job = "ChargeCarefully", workers = 2, retry_after = 1, clicks_again = true }
