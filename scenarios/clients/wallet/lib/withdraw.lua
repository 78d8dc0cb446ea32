-- How the harness talks to wallet.py.
local orders = "http://127.0.0.1:{app_port}/orders"

return {
  submit = function(order)
    return http.post{ url = orders, json = { id = order.id, amount = order.amount,
                                             currency = order.currency } }.status == 200
  end,

  claim = function(order)
    return http.get(orders .. "/" .. order.id).status == 200 and "succeeded" or "unknown"
  end,
}
