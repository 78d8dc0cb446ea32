-- A provider on a bad day: of all that it does, a third is done and the answer lost, a quarter is
-- not done at all. Which is which follows --seed. Catches: what works once and not time after time.
-- Control: new_key_every_try breaks charged_once.
return scenario {
    title = "a third of all answers is lost, and a quarter of all requests",
    orders = 4,
    faults = function(req)
        if req.at == "responding" and math.random(3) == 1 then
            return drop()
        end
        if req.at == "received" and math.random(4) == 1 then
            return respond(503)
        end
    end,
}
