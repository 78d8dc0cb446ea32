-- As e10, but the charge was not committed yet: after the restart it is not there, and the key is
-- free again. A client that gives the order up because the provider was down for a moment is
-- inconclusive.
return scenario {
    title = "the provider is killed before the charge commits",
    faults = {
        { pays = true, attempt = 1, at = "before_commit", act = crash_psp("200ms") },
    },
}
