-- d50 at a provider that says 422 where others say 409 (as Adyen does), to be tried again. Catches:
-- 4xx taken for "refused, so not paid", also on a retry.
-- Control: status_4xx_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the retry meets 422, and then the first request charges",
    dialect = "adyen",
    faults = {
        { pays = true, attempt = 1, at = "before_commit", act = delay("2700ms") },
    },
}
