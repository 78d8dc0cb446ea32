-- As a20, two days after the job was done, and the client's clock has moved as well. Catches: a
-- record (a unique lock, a row in a cache) that expires by the client's own clock before the queue
-- has forgotten the job.
-- Control: record_for_a_day breaks charged_once.
return scenario {
    title = "the job is delivered again two days after it was done, when records may have expired",
    clock = "both",
    run = function(world)
        world:start():wait():advance("48h")
        for _, order in ipairs(world.orders) do
            world:start(order):wait()
        end
    end,
}
