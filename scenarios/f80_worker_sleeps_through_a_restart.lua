-- A virtual machine that is moved, or a long collection of garbage: the worker stands still from
-- the charge on, and meanwhile the provider is killed and comes back. When the worker goes on, its
-- connection has long been closed, and nothing else shows that anything has happened. Catches: a
-- lost connection taken for "nothing was charged".
-- Control: silence_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the worker stands still while the provider is killed and comes back",
    faults = {
        {
            pays = true,
            attempt = 1,
            at = "after_commit",
            act = { pause_client("500ms"), crash_psp("100ms") },
        },
    },
}
