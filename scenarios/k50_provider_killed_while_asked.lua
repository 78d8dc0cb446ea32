-- f10, and the provider dies when it is asked for the payment. Catches: a refused question taken
-- for the outcome of the payment.
-- Control: refused_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the worker dies after the charge, and the provider when it is asked for it",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = crash_client() },
        { on = "GET *", attempt = 1, at = "responding", act = crash_psp("500ms") },
    },
}
