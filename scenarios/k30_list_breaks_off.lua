-- f30, and the list of payments breaks off in its middle. Catches: half a list taken for a whole
-- one, or for none.
-- Control: no_list_is_none breaks charged_once.
return scenario {
    title = "a day later the provider is asked for the payment, and its answer breaks off",
    faults = {
        { pays = true, attempt = 1, at = "responded", act = crash_client() },
        { on = "GET *", attempt = 1, at = "responding", act = truncate(40) },
    },
    run = function(world)
        world:start():wait()
        world:advance("25h")
        world:start():wait()
        world:settle()
    end,
}
