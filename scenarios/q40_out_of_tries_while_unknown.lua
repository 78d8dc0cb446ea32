-- The charge stands, its answer is lost, and the provider stays out of order until the queue is out
-- of tries (JOB_ATTEMPT is JOB_TRIES then). Later somebody looks after the job and runs it again.
-- Catches: a handler for the failed job that calls the order failed, although nobody knows that.
-- Control: last_try_is_failure breaks failure_is_not_charged.
local charged = require "lib.charged"
local lost = require "lib.lost"

return scenario {
    title = "the response is lost, and the queue is out of tries in the outage",
    queue = { tries = 2, backoff = { first = "10s" } },
    faults = {
        lost.answer(),
        storm { rate = 1, when = charged, with = proxy_error(503) },
    },
}
