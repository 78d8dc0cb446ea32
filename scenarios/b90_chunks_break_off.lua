-- The charge stands, and the body comes in chunks of which one is not what its size says. Catches:
-- the error of the HTTP library that nobody has met before, and that ends the job as failed.
-- Control: half_answer_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the body of the answer is broken in a chunk",
    faults = {
        { pays = true, attempt = 1, at = "responding", act = broken_chunk(10) },
    },
}
