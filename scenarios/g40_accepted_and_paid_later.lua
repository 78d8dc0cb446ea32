-- 200, and the payment is "processing": the provider has it and has not decided. A moment later it
-- is paid. Catches: whatever is not "succeeded" taken for "failed".
-- Control: not_final_is_failure breaks failure_is_not_charged.
local ACCEPTED = {
    ["/v1/payment_intents"] = '{"id":"pi_1","object":"payment_intent","status":"processing"}',
    ["/payments"] = '{"id":"1","status":"PROCESSING"}',
}
local told = {} -- orders

return scenario {
    title = "the payment is accepted, and paid a moment later",
    faults = function(req)
        if req.at == "after_commit" and ACCEPTED[req.path] and not told[req.order] then
            told[req.order] = true
            return respond(200, ACCEPTED[req.path])
        end
    end,
}
