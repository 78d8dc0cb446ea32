-- The worker dies while it waits, and its request comes to nothing: it was rolled back. From its
-- record it looks like f10. Catches: an unfinished record taken for "paid, it was sent after all".
-- Control: record_is_success breaks success_is_charged.
return scenario {
    title = "the worker dies, and its request comes to nothing",
    faults = {
        { pays = true, attempt = 1, at = "received", act = crash_client() },
    },
}
