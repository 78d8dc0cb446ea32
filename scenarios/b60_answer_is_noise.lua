-- The charge stands, and what comes back is no HTTP: a proxy that mixes its connections up, a port
-- that belongs to somebody else now. Catches: an error of the HTTP library of a kind that nobody
-- has thought of, and that therefore ends the job as failed.
-- Control: half_answer_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the answer is no HTTP",
    faults = {
        { pays = true, attempt = 1, at = "responding", act = garbage() },
    },
}
