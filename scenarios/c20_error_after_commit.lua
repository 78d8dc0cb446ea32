-- The charge stands, and something on the way answers 500 for it; the provider itself knows
-- better, and the same key gets the true answer. A 500 says nothing about the charge. Catches:
-- 500 taken for "failed"; a new key after a 500.
-- Control: status_5xx_is_failure breaks failure_is_not_charged.
return scenario {
    title = "500 after the charge has committed",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = respond(500) },
    },
}
