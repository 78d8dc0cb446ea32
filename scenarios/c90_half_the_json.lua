-- The charge stands, and the answer is whole but for its JSON, which stops half way: a provider
-- that died while it wrote, and a proxy that made it look whole. Catches: a JSON parser that throws
-- where nobody catches it, so that the job ends with "failed".
-- Control: half_answer_is_failure breaks failure_is_not_charged.
return scenario {
    title = "a whole 200 with half its JSON",
    faults = {
        { pays = true, attempt = 1, at = "responding", act = broken_json() },
    },
}
