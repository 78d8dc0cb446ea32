-- The charge stands, the status line says 200, and the headers break off in the middle of a line.
-- Some libraries (curl's is one) take that for a 200 with an empty body, others throw. Catches: an
-- empty body that is parsed where nobody catches the error, so that the job ends with "failed".
-- Control: half_answer_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the headers of the answer break off",
    faults = {
        { pays = true, attempt = 1, at = "responding", act = cut_header(20) },
    },
}
