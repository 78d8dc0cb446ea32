-- 200, and the payment is "processing": its bank has not decided yet, and pays a minute later, when
-- the job runs again. Catches: whatever is not "succeeded" taken for "failed"; 200 taken for
-- "paid".
-- Control: not_final_is_failure breaks failure_is_not_charged.
return scenario {
    title = "the payment is accepted, and paid a minute later",
    faults = {
        { pays = true, attempt = 1, at = "received", act = processing("1m") },
    },
    run = function(world)
        world:start():wait()
        world:advance("2m")
        world:start():wait()
        world:settle()
    end,
}
