-- A deployment: the worker is asked to stop (SIGTERM) while it waits for the answer. Catches: a
-- handler that ends the job in good order, with "failed", although nobody knows that.
-- Control: stopped_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the worker is told to stop while it waits for the answer",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = crash_client("TERM") },
    },
}
