-- The other half of e50: nothing was charged. Catches: an order that is handed out while the
-- provider is down, "to be collected later".
-- Control: refused_is_success breaks success_is_charged.
return scenario {
    title = "the request is lost, and then nobody listens for a while",
    faults = {
        { pays = true, attempt = 1, at = "received", act = refuse("500ms") },
    },
}
