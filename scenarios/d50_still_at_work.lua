-- The first request is still at work when the client has run out of patience; its next try is told
-- 409, the key is in use. The charge commits after that. Catches: 409 taken for "failed"; a new key
-- after a timeout.
-- Control: status_409_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the retry meets 409, and then the first request charges",
    faults = {
        { pays = true, attempt = 1, at = "before_commit", act = delay("2700ms") },
    },
}
