-- The charge stands, its answer is lost, and the API key is changed in that moment: 401. That the
-- second request was refused says nothing of the first. Catches: 4xx taken for "failed" on a retry.
-- Control: status_4xx_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the response is lost, and the next request is told 401",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = drop() },
        { attempt = 2, at = "received", act = respond(401) },
    },
}
