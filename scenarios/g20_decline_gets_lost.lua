-- The card was declined, and the answer that says so is lost. The key knows better. Catches: a lost
-- answer taken for success.
-- Control: silence_is_success breaks success_is_charged.
return scenario {
    title = "the card is declined, and the answer is lost",
    faults = {
        { pays = true, attempt = 1, at = "received", act = decline("lost_card") },
        { pays = true, attempt = 1, at = "responding", act = drop() },
    },
}
