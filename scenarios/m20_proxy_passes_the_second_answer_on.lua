-- The proxy of m10 passes on what it was told the second time: that the key is in use, for the
-- first delivery was still at work. It charges a moment later. Catches: 409 taken for "failed" by a
-- client that has never sent that key before, and so believes that it must be somebody else's.
-- Control: status_409_is_failure breaks failure_is_not_charged.
return scenario {
    title = "a proxy delivers the request twice, and the client sees the 409 of the second",
    faults = {
        { pays = true, attempt = 1, at = "received", act = duplicate { answer = "second" } },
        { pays = true, attempt = 1, at = "before_commit", act = delay("500ms") },
    },
}
