-- The worker waits for its answer, and has had the job for longer than the queue's visibility
-- timeout (Laravel's retry_after, BullMQ's lockDuration): the queue gives it to a second worker
-- while the first one lives. Catches: a key that lives in the memory of a process; a lock that ends
-- before the job does.
-- Control: new_key_every_run breaks charged_once.
return scenario {
    title = "the job's lock expires while its worker waits, and another one takes it",
    queue = { visibility_timeout = "90s" },
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = { advance("2m"), delay("700ms") } },
    },
}
