-- How the harness talks to queues.py: somebody orders, and then it waits until all jobs are done.
local shop = "http://127.0.0.1:{app_port}/"
local words = { paid = "succeeded", failed = "failed" }

return {
  submit = function(order)
    local answer = http.post{ url = shop, json = { id = order.id, amount = order.amount,
                                                   currency = order.currency } }
    http.get{ url = shop .. "idle", timeout = "60s" }
    return answer.status == 200
  end,

  claim = function(order)
    return words[http.get(shop .. order.id).body] or "unknown"
  end,
}
