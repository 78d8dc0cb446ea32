-- The order is paid, a webhook tells of it, and the worker is killed when it has the answer; the
-- job runs again. Catches: what is done first and noted later, or noted in memory.
-- Control: shipping_is_noted_later breaks webhook_effect_once.
return scenario {
    title = "the worker dies when a webhook was acted on, and the job runs again",
    effects = true,
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = early("5s") },
        { pays = true, attempt = 1, at = "responded", act = crash_client() },
    },
}
