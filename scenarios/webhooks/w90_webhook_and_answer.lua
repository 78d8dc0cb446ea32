-- The order is paid, and two tell of it: a webhook, which comes first here, and the answer.
-- Catches: what is done for the answer done once more for the webhook, each with a note of its
-- own.
-- Control: answer_ships_too breaks webhook_effect_once.
return scenario {
    title = "webhook and answer both say that it is paid, and it is shipped once",
    effects = true,
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = early("5s") },
    },
}
