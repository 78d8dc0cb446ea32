-- f10, and what the charge made is in no list and under no id for two seconds: it is read from a
-- replica. The key knows it. Catches: "the list does not have it, so it was not paid", and a new
-- key.
-- Control: empty_list_is_proof breaks charged_once.
return scenario {
    title = "the worker dies after the charge, and the list does not show it yet",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = { stale("2s"), crash_client() } },
    },
}
