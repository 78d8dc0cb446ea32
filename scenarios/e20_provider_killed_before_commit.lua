-- As e10, but the charge was not committed yet: after the restart it is not there, and the key is
-- free again. Catches: a client that gives an order up because the provider was down for a
-- moment.
return scenario {
    title = "the provider is killed before the charge commits",
    faults = {
        { pays = true, attempt = 1, at = "before_commit", act = crash_psp("200ms") },
    },
}
