-- The charge stands, its answer is lost, and so is the webhook that tells of it. Catches: silence
-- taken for "failed"; a client that waits for webhooks and never asks.
-- Control: no_event_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the response is lost after the charge, and no webhook comes",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = drop() },
        { on = "payment_intent.*", at = "webhook", act = lose() },
    },
}
