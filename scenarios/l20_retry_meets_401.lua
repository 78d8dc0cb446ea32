-- The charge stands, its answer is lost, and the API key is changed in that moment: 401. That the
-- second request was refused says nothing of the first. Catches: 4xx taken for "failed" on a retry.
-- Control: status_4xx_is_failure breaks failure_is_not_charged.
local charged = require "lib.charged"
local lost = require "lib.lost"

return scenario {
    title = "the response is lost, and the next request is told 401",
    faults = {
        lost.answer(),
        { when = charged, attempt = 1, at = "received", act = respond(401) },
    },
}
