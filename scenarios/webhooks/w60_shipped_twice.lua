-- The order is paid, and the webhook that says so comes twice at the same moment: both find that
-- it is not shipped yet. Catches: a look at a note, and the note afterwards, where a row has to
-- be inserted that only one can insert; a handler that does what it does each time it is told.
-- Control: looks_then_ships breaks webhook_effect_once.
return scenario {
    title = "the webhook of a paid order comes twice, and it is shipped once",
    effects = true,
    faults = {
        { on = "payment_intent.succeeded", attempt = 1, at = "webhook", act = duplicate() },
        { pays = true, attempt = 1, at = "after_commit", act = early("5s") },
    },
}
