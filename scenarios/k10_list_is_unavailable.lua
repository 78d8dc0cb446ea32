-- f30, and the question "which payments are there?" is answered 503. That is no answer to it.
-- Catches: "no list" taken for "no payment", and paid again with a key that has expired.
-- Control: no_list_is_none breaks charged_once.
return scenario {
    title = "a day later the provider is asked for the payment, and answers 503",
    faults = {
        { pays = true, attempt = 1, at = "responded", act = crash_client() },
        { on = "GET *", attempt = { 1, 2 }, at = "received", act = respond(503) },
    },
    run = function(world)
        world:start():wait()
        world:advance("25h")
        world:start():wait()
        world:settle()
    end,
}
