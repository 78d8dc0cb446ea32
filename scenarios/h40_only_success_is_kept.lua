-- A provider whose keys remember successes alone (as Stripe's v2 does), and a 500 over a charge
-- that stands. The same key finds the charge; a new one makes another. Catches: a new key after an
-- error.
-- Control: new_key_after_error breaks charged_once.
return scenario {
    title = "500 after the charge has committed, at a provider whose keys remember successes alone",
    dialect = "stripe-v2",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = respond(500) },
    },
}
