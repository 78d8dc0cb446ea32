-- The charge stands, and the answer comes slowly until the connection is reset: b30 and d60 in one,
-- as a bad mobile line has it. Catches: a lost connection taken for "failed".
-- Control: silence_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the answer trickles in, and then the connection is reset",
    faults = {
        {
            pays = true,
            attempt = 1,
            at = "responding",
            act = { dribble(50, "20ms"), truncate(200), reset() },
        },
    },
}
