-- The request waits at the provider's door for longer than the client does, and is executed after
-- the client has gone, perhaps after its next try. Catches: a new key after a timeout (both are
-- executed); a timeout taken for "failed", which is true when the client looks and no longer true
-- a second later.
return scenario {
    title = "the request is executed after the client has given up",
    faults = {
        { on = "POST *", attempt = 1, at = "received", act = delay("2500ms") },
    },
}
