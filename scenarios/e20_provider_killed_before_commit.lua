-- As e10, but the charge was not committed yet: after the restart it is not there, and the key is
-- free again. Catches: "it is down, so it will be paid later" taken for paid. A client that gives
-- the order up because the provider was down for a moment is inconclusive.
-- Control: refused_is_success breaks success_is_charged.
return scenario {
    title = "the provider is killed before the charge commits",
    faults = {
        { pays = true, attempt = 1, at = "before_commit", act = crash_psp("500ms") },
    },
}
