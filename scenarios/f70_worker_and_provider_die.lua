-- f10, and when the job runs again the provider dies under its first request. Catches: a second run
-- that takes "connection refused" for the outcome of the first.
-- Control: refused_is_failure breaks failure_is_not_charged.
local charged = require "lib.charged"

return scenario {
    title = "the worker dies after the charge, and the provider when it is back",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = crash_client() },
        { when = charged, attempt = 1, at = "received", act = crash_psp("500ms") },
    },
}
