-- Fifty clients at once, and the first try of each is answered 503: what comes then is theirs.
return scenario {
    title = "the provider answers 503 to fifty clients at the same moment",
    orders = 50,
    faults = {
        { pays = true, attempt = 1, at = "received", act = respond(503) },
    },
}
