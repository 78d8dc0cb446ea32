-- The request waits at the provider's door until the client has gone, however patient it is, and is
-- executed then, perhaps after its next try. Catches: a new key after a timeout (both are
-- executed); a timeout taken for "failed", which is true when the client looks and no longer true
-- a second later.
-- Control: new_key_every_try breaks charged_once.
return scenario {
    title = "the request is executed after the client has given up",
    faults = {
        { pays = true, attempt = 1, at = "received", act = late("300ms") },
    },
}
