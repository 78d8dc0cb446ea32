-- The first try came to nothing, the second is declined: nothing is charged, and that is final.
-- Catches: a client that never takes no for an answer and never comes to an end.
-- Control: decline_is_unknown breaks settles.
return scenario {
    title = "the first try is lost, the second is declined",
    faults = {
        { pays = true, attempt = 1, at = "before_commit", act = drop() },
        { pays = true, attempt = 2, at = "received", act = decline("insufficient_funds") },
    },
}
