-- The other half of c30: the key repeats a 500 for a day, and there is no charge. Only a new key
-- can pay now, and only after the provider has been asked. Catches: a client that holds on to its
-- key for ever, and one that takes the repeated 500 for "failed" without a look.
-- Control: one_key_forever breaks settles.
return scenario {
    title = "500 without a charge, and the key repeats it",
    faults = {
        { pays = true, attempt = 1, at = "before_commit", act = respond(500, { store = true }) },
    },
}
