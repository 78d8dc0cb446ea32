-- f30 in a shop that sells more than one thing a day: when the job runs again, twelve newer
-- payments stand before its own in the list. Catches: a look at the first page alone.
-- Control: first_page_is_all breaks charged_once.
return scenario {
    title = "a day later the payment is not on the first page of the list",
    orders = 13,
    faults = {
        { pays = true, nth = 1, at = "responded", act = crash_client() },
    },
    run = function(world)
        world:start():wait()
        world:advance("25h")
        world:start():wait()
        world:settle()
    end,
}
