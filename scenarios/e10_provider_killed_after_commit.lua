-- A real SIGKILL between the commit and the answer, and a restart on the same database. While it
-- is down nothing listens. Catches: a client that takes "connection refused" on its second try
-- for the outcome of its first.
-- Control: refused_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the provider is killed after the charge has committed",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = crash_psp("500ms") },
    },
}
