-- Three times 503 with a Retry-After, then all is well. Nothing was done by the refused requests.
-- A client that takes a 503 for a final answer, or never tries a fourth time nor says that it does
-- not know, gives the order up, which is inconclusive.
return scenario {
    title = "three times 503 with Retry-After, then it works",
    faults = {
        {
            pays = true,
            attempt = { 1, 2, 3 },
            at = "received",
            act = respond(503, { headers = { ["Retry-After"] = "1" } }),
        },
    },
}
