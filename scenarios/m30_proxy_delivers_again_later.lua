-- The proxy delivers the request again when the client has its answer and is gone. It carries the
-- same key, so nothing happens. Catches: no key.
-- Control: no_key breaks charged_once.
return scenario {
    title = "a proxy delivers the request again when the client has long had its answer",
    orders = 2,
    faults = {
        { pays = true, attempt = 1, at = "received", act = duplicate { after = "300ms" } },
    },
}
