-- f10, and the question for the payment is never answered. Catches: a timeout taken for "failed",
-- where it is only the question that has failed; no timeout on questions.
-- Control: timeout_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the worker dies after the charge, and its question for the payment is never answered",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = crash_client() },
        { on = "GET *", attempt = 1, at = "responding", act = hang() },
    },
}
