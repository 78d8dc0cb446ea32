-- A shop on BullMQ: shop.mjs takes orders and two workers pay them. All that it knows is in a Redis
-- of its own, which starts and ends with the world.
local orders = "http://127.0.0.1:{app_port}/orders"
local words = { paid = "succeeded", failed = "failed" }

return function(worker, kind)
  return client {
    service   = { "node", "shop.mjs", kind },
    ready     = { port = "{app_port}", timeout = "30s" },
    workers   = {
      { "redis-server", "--dir", "{state}", "--port", "0", "--unixsocket", "redis.sock",
        "--save", "", "--appendonly", "yes", "--appendfsync", "always", "--logfile", "redis.log" },
      { "node", worker },
      { "node", worker },
    },
    directory = ".",
    patience  = "15s",

    submit = function(order)
      return http.post{ url = orders, timeout = "10s", json = order }.status == 200
    end,

    claim = function(order)
      local answer = http.get(orders .. "/" .. order.id)
      if answer.status ~= 200 then return "unknown" end
      return words[answer.json.status] or "unknown", answer.json.payment
    end,
  }
end
