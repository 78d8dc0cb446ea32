-- The worker had its 200 on the machine, and died before it wrote that into its own database. No
-- retry of any library helps: nothing failed. Catches: a job whose key lives in memory; "the
-- queue delivers once" taken for granted.
-- Control: record_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the worker dies between the 200 and its own database, and the job runs again",
    faults = {
        { pays = true, attempt = 1, at = "responded", act = crash_client() },
    },
}
