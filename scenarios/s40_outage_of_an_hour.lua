-- The charge stands, its answer is lost, and then a proxy says 503 to everything for an hour of the
-- provider's clock. Catches: a job that is out of tries and takes the last error for the outcome,
-- where it should say "unknown" and be run again when the outage is over.
-- Control: out_of_tries_is_failure breaks failure_is_not_charged.
local charged = require "lib.charged"
local lost = require "lib.lost"

return scenario {
    title = "the response is lost, and the provider is out of order for an hour",
    faults = {
        lost.answer(),
        storm { rate = 1, to = "1h", when = charged, with = proxy_error(503) },
    },
    run = function(world)
        world:start():wait()
        world:advance("1h")
        world:start():wait()
        world:settle()
    end,
}
