-- The card was declined and the answer lost. Then a webhook says that the payment has succeeded,
-- but it is signed by somebody else. Catches: a signature that is not checked.
-- Control: unsigned_is_believed breaks success_is_charged.
return scenario {
    title = "the payment is declined, and somebody else says that it succeeded",
    faults = {
        { pays = true, attempt = 1, at = "received", act = decline("lost_card") },
        { pays = true, attempt = 1, at = "responding", act = drop() },
        { on = "payment_intent.payment_failed", attempt = 1, at = "webhook", act = forge() },
    },
}
