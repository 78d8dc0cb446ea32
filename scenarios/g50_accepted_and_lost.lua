-- 200, and the payment is "processing", but it never gets anywhere: whoever took it in has lost it,
-- and the provider knows of no such payment. Catches: 200 taken for "paid".
-- Control: status_200_is_success breaks success_is_charged.
local ACCEPTED = {
    ["/v1/payment_intents"] = '{"id":"pi_1","object":"payment_intent","status":"processing"}',
    ["/payments"] = '{"id":"1","status":"PROCESSING"}',
}
local told = {} -- orders

return scenario {
    title = "the payment is accepted, and then lost",
    faults = function(req)
        if req.at == "received" and ACCEPTED[req.path] and not told[req.order] then
            told[req.order] = true
            return respond(200, ACCEPTED[req.path])
        end
    end,
}
