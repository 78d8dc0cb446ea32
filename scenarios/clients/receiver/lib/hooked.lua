-- How the harness talks to receiver.py, and counts what it has shipped.
local orders = "http://127.0.0.1:{app_port}/orders"
local words = { paid = "succeeded", failed = "failed" }

return {
  submit = function(order)
    return http.post{ url = orders, json = { id = order.id, amount = order.amount,
                                             currency = order.currency } }.status == 200
  end,

  claim = function(order)
    return words[http.get(orders .. "/" .. order.id).body] or "unknown"
  end,

  effects = function(order)
    local rows = sqlite("shop.db", "SELECT count(*) AS n FROM shipments WHERE order_id = ?",
                        order.id)
    return { shipped = rows and rows[1].n or 0 }
  end,
}
