-- The card was declined, the answer lost, and the webhook that tells of it comes twice at the same
-- moment. Catches: a handler that acts on each, as by trying the customer's card once more.
-- Control: every_event_is_new breaks charged_once.
return scenario {
    title = "the webhook of a declined payment comes twice",
    faults = {
        { pays = true, attempt = 1, at = "received", act = decline("insufficient_funds") },
        { pays = true, attempt = 1, at = "responding", act = drop() },
        { on = "payment_intent.payment_failed", attempt = 1, at = "webhook", act = duplicate() },
    },
}
