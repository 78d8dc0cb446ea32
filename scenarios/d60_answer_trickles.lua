-- The charge stands, and the answer comes in small pieces, one now and then. A timeout that counts
-- for each read never strikes, one for the whole call does. Catches: a timeout taken for "failed".
-- Control: timeout_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the answer trickles in",
    faults = {
        { pays = true, attempt = 1, at = "responding", act = dribble(50, "100ms") },
    },
}
