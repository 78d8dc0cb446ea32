-- e10 with a provider that stays down longer than the client tries. Catches: a loop that runs out
-- of tries and takes the last error for the outcome. "Unknown, run me again later" is right.
-- Control: out_of_tries_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the provider is killed after the charge, and down for longer than the tries last",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = crash_psp("2s") },
    },
}
