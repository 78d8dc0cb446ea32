-- The charge stands, its answer is lost, and "created" arrives after "succeeded". Catches: a
-- handler that writes down what each webhook says, so that the last one wins.
-- Control: last_event_wins breaks failure_is_not_charged.
return scenario {
    title = "the webhook that tells of the beginning arrives last",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = drop() },
        { on = "payment_intent.created", attempt = 1, at = "webhook", act = reorder("5s") },
    },
}
