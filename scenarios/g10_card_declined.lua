-- A definite no: 402, nothing is charged, and no retry changes that. Catches: an answer of any kind
-- taken for success; a decline taken for unknown for ever.
-- Control: any_answer_is_success breaks success_is_charged.
return scenario {
    title = "the card is declined",
    faults = {
        { pays = true, attempt = 1, at = "received", act = decline("insufficient_funds") },
    },
}
