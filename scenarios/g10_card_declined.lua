-- A definite no: 402, nothing is charged, and no retry changes that. Catches: a client that
-- reports a decline as paid, or as unknown for ever.
return scenario {
    title = "the card is declined",
    faults = {
        { pays = true, attempt = 1, at = "received", act = decline("insufficient_funds") },
    },
}
