-- The charge stands, its answer is lost, and the next request is one too many: 429. It was not
-- executed, and says nothing of the first. Catches: 429 taken for "failed".
-- Control: status_429_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the response is lost, and the next request is told 429",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = drop() },
        {
            attempt = 2,
            at = "received",
            act = respond(429, { headers = { ["Retry-After"] = "1" } }),
        },
    },
}
