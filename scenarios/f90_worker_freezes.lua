-- The worker's machine stops for a moment (a long GC, a VM that is moved) while it waits, and when
-- it goes on its connection is gone. The charge stands. Catches: a lost connection taken for
-- "failed".
-- Control: silence_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the worker freezes after the charge, and wakes up without its connection",
    faults = {
        {
            pays = true,
            attempt = 1,
            at = "after_commit",
            act = { pause_client("300ms"), reset() },
        },
    },
}
