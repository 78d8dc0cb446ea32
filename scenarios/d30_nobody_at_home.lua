-- d20 without a charge: the connection stays open, without a byte, and the request is never looked
-- at. Catches: a timeout taken for "it will have gone through".
-- Control: timeout_is_success breaks success_is_charged.
return scenario {
    title = "no answer ever comes, and nothing is charged",
    faults = {
        { pays = true, attempt = 1, at = "received", act = hang() },
    },
}
