-- The worker dies while it waits for the answer, the charge stands, the queue runs the job again.
-- Catches: a key that was made for the call and died with the worker.
-- Control: new_key_every_run breaks charged_once.
return scenario {
    title = "the worker dies after the charge has committed, before the response",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = crash_client() },
    },
}
