-- As f30, at a provider whose keys live for an hour (Mollie's do), and the job runs again after
-- two. Catches: "a key is good for a day", learnt from one provider and believed of all.
-- Control: key_trusted_forever breaks charged_once.
return scenario {
    title = "the worker dies with its 200, and the job runs again when the key's hour is over",
    dialect = "mollie",
    faults = {
        { pays = true, attempt = 1, at = "responded", act = crash_client() },
    },
    run = function(world)
        world:start():wait()
        world:advance("2h")
        world:start():wait()
        world:settle()
    end,
}
