-- A provider that does not repeat the answer of a key but says 409, this was made already (as
-- GoCardless does). The charge stands. Catches: 409 taken for "failed".
-- Control: status_409_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the response is lost, and the retry is told 409: made already",
    dialect = "gocardless",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = drop() },
    },
}
