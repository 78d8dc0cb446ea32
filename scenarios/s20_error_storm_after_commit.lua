-- The charge stands, its answer is lost, and then there is nothing but 503 for a while: longer than
-- one job tries. Catches: a loop that runs out of tries and takes the last error for the outcome.
-- Control: out_of_tries_is_failure breaks failure_is_not_charged.
local charged = require "lib.charged"
local lost = require "lib.lost"

return scenario {
    title = "the response is lost, and the next six requests are answered 503",
    faults = {
        lost.answer(),
        { when = charged, times = 6, at = "received", act = respond(503) },
    },
}
