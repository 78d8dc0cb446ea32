-- The webhooks come before the answer, as they do with any provider now and then, and the answer is
-- lost. Catches: a webhook about a payment that is not in the database yet taken for somebody
-- else's, by a client that does not ask.
-- Control: unknown_event_is_dropped breaks settles.
return scenario {
    title = "the webhooks come before the answer, and the answer never",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = early("500ms") },
        { pays = true, attempt = 1, at = "responding", act = drop() },
    },
}
