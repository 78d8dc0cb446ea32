-- The charge stands, its answer is lost, and the next request is one too many: 429. It was not
-- executed, and says nothing of the first. Catches: 429 taken for "failed".
-- Control: status_429_is_failure breaks failure_is_not_charged.
local charged = require "lib.charged"
local lost = require "lib.lost"

return scenario {
    title = "the response is lost, and the next request is told 429",
    faults = {
        lost.answer(),
        { when = charged, attempt = 1, at = "received", act = respond(429, { retry_after = 1 }) },
    },
}
