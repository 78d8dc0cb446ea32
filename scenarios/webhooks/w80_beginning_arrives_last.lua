-- The order is paid, and the webhook that tells of its beginning comes after the one that tells
-- of its end. Catches: a handler that writes down what each webhook says, and takes back what was
-- done.
-- Control: older_event_undoes breaks webhook_effect_once.
return scenario {
    title = "an older webhook arrives last, and what was done stays done",
    effects = true,
    faults = {
        { on = "payment_intent.created", attempt = 1, at = "webhook", act = reorder("5s") },
        { pays = true, attempt = 1, at = "after_commit", act = early("5s") },
    },
}
