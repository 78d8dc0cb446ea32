-- As f20, but the job runs again after 25 hours: the provider has forgotten the key, and the same
-- key is a new payment. Catches: a saved key trusted for ever. The client's own clock has not
-- moved, so only a client that asks the provider before it pays again passes.
-- Control: key_trusted_forever breaks charged_once.
return scenario {
    title = "the worker dies between the 200 and its own database, the job runs again a day later",
    faults = {
        { pays = true, attempt = 1, at = "responded", act = crash_client() },
    },
    run = function(world)
        world:start():wait()
        world:advance("25h")
        world:start():wait()
        world:settle()
    end,
}
