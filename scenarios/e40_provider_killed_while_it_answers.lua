-- The provider is killed once when it has charged and would answer, and once more when it is asked
-- again. What it has committed is there after each restart, and nothing else. Catches: a client
-- that can bear one failure and not two in a row.
-- Control: refused_is_failure breaks failure_is_not_charged.
local charged = require "lib.charged"

return scenario {
    title = "the provider is killed while it answers, and again at the next request",
    faults = {
        { pays = true, attempt = 1, at = "responding", act = crash_psp("500ms") },
        { when = charged, attempt = 1, at = "received", act = crash_psp("500ms") },
    },
}
