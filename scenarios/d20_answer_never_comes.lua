-- The charge stands and the connection stays open, without a byte, until the client gives up.
-- Catches: a client without a timeout, which hangs here for ever; a new key after a timeout.
-- Control: timeout_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the charge has committed, and no answer ever comes",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = hang() },
    },
}
