-- A reset (RST) instead of an orderly end (FIN): a load balancer that was restarted, a firewall
-- that forgot the connection. Most HTTP libraries raise another error for it than for b10.
-- Catches: error handling that knows only one kind of lost connection.
-- Control: silence_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the connection is reset after the charge has committed",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = reset() },
    },
}
