-- The worker dies with its answer in the evening, and the queue delivers the job again on the next
-- day. The client's clock moves as well. Catches: a key with the date in it, which is good for
-- "once a day" until the day is over; whatever else expires by the client's own clock.
-- Control: dated_key breaks charged_once.
return scenario {
    title = "the worker dies with its 200, and the queue delivers the job again the next day",
    queue = { backoff = "24h" },
    clock = "both",
    faults = {
        { pays = true, attempt = 1, at = "responded", act = crash_client() },
    },
}
