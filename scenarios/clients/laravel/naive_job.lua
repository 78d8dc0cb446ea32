-- Laravel: a job that charges and then updates its row.
--
-- Teaches: what comes between the charge and the update (a timeout, a
--   crash, a deployment) makes the queue run the job again, with a new key.
-- Safe: no.
-- Needs: php-cli php-laravel-framework php-guzzlehttp-guzzle php-sqlite3 php-curl php-mbstring
--   php-xml.
-- Run: build/psp-harness run scenarios/{a00,d20,f20}_*.lua
--   --client scenarios/clients/laravel/naive_job.lua
local shop = require "lib.laravel_shop"

return shop { job = "ChargeThenUpdate" }
