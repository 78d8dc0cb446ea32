-- A proxy that has not heard in time sends the request once more, by itself, and passes the first
-- answer on. The client has sent one request and sees nothing of it. Catches: no key: "we never
-- retry, so we need none".
-- Control: no_key breaks charged_once.
return scenario {
    title = "a proxy delivers the request twice",
    faults = {
        { pays = true, attempt = 1, at = "received", act = duplicate() },
    },
}
