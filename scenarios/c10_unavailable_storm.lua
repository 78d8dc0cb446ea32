-- Three times 503 with a Retry-After, then all is well. Nothing was done by the refused requests.
-- Catches: an answer of any kind taken for success, as curl does without --fail. A client that
-- takes a 503 for final gives the order up, which is inconclusive.
-- Control: any_answer_is_success breaks success_is_charged.
return scenario {
    title = "three times 503 with Retry-After, then it works",
    faults = {
        {
            pays = true,
            attempt = { 1, 2, 3 },
            at = "received",
            act = respond(503, { retry_after = 1 }),
        },
    },
}
