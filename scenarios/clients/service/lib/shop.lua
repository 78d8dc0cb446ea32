-- How the harness talks to service_naive.py and service_careful.py.
local shop = "http://127.0.0.1:{app_port}/orders"

local words = { succeeded = "succeeded", failed = "failed" }

return {
  -- False: it did not get through, and is given again, as by somebody who clicks once more.
  submit = function(order)
    return http.post{ url = shop, json = { id = order.id, amount = order.amount,
                                           currency = order.currency } }.status == 200
  end,

  claim = function(order)
    local answer = http.get(shop .. "/" .. order.id)
    if answer.status ~= 200 then return "unknown" end
    return words[answer.json.status] or "unknown", answer.json.payment
  end,
}
