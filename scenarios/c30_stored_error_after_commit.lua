-- As c20, but it is the provider that answered 500, and its key repeats that for a day, over a
-- charge that stands. Trying again with the same key never helps; asking which payments there are
-- does. Catches: a retry loop as the only remedy; a new key without having asked.
-- Control: new_key_after_replay breaks charged_once.
return scenario {
    title = "500 after the charge has committed, and the key repeats it",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = respond(500, { store = true }) },
    },
}
