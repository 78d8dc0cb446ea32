-- The charge stands, the status line says 200, and the body breaks off in its middle. Catches: a
-- JSON parser that throws where nobody catches it, so that the job ends with "failed".
-- Control: half_answer_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the answer breaks off in its middle",
    faults = {
        { pays = true, attempt = 1, at = "responding", act = truncate(40) },
    },
}
