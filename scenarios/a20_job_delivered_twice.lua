-- The queue delivers a job again that was done long ago; every queue does that at some time. The
-- provider has forgotten the key. Catches: a client that relies on the key and remembers nothing.
-- Control: no_record breaks charged_once.
return scenario {
    title = "the job is delivered again, a day after it was done",
    orders = 2,
    run = function(world)
        world:start():wait()
        world:advance("25h")
        for _, order in ipairs(world.orders) do
            world:start(order):wait()
        end
    end,
}
