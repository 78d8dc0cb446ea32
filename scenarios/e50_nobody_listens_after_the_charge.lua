-- The charge stands, the connection is closed, and for half a second nothing listens: a deployment
-- of the provider, a load balancer without a backend. Catches: "connection refused" on the second
-- try taken for the outcome of the first.
-- Control: refused_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the response is lost after the charge, and then nobody listens for a while",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = refuse("500ms") },
    },
}
