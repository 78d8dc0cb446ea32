-- As l20 with a 404: a deployment that has lost its routes, a gateway before its time. Nothing was
-- looked for, so nothing was not found. Catches: "not found" taken for "not paid".
-- Control: status_4xx_is_failure breaks failure_is_not_charged.
local charged = require "lib.charged"
local lost = require "lib.lost"

return scenario {
    title = "the response is lost, and the next request is told 404 by a gateway",
    faults = {
        lost.answer(),
        {
            when = charged,
            attempt = 1,
            at = "received",
            act = respond(404, "<html>404 Not Found</html>", { ["Content-Type"] = "text/html" }),
        },
    },
}
