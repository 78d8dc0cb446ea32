-- A shop in Laravel: its page takes orders, queue workers pay them with one of app/Jobs/.
local function post(order)
  return http.post{ url = "http://127.0.0.1:{app_port}/orders", timeout = "10s", json = order
                  }.status == 200
end

local function claim(order)
  local row = (sqlite("shop.sqlite", "SELECT status, payment FROM orders WHERE id = ?",
                      order.id) or {})[1]
  if row and row.status == "paid" then return "succeeded", row.payment end
  return row and row.status == "failed" and "failed" or "unknown"
end

-- Somebody who clicks once more when an order is not paid in about three seconds.
local function click_again(order)
  if not post(order) then return false end
  for _ = 1, 15 do
    if claim(order) ~= "unknown" then return true end
    sh("sleep 0.2")
  end
  return post(order)
end

return function(shop)
  local worker = { "php", "artisan", "queue:work", "database", "--sleep=0.1" }
  local workers = {}
  for _ = 1, shop.workers or 1 do table.insert(workers, worker) end
  return client {
    service     = { "php", "-S", "127.0.0.1:{app_port}", "web.php" },
    ready       = { port = "{app_port}", timeout = "30s" },
    workers     = workers,
    prepare     = { "php", "artisan", "migrate", "--force", "--path=database" },
    directory   = ".",
    environment = { JOB = shop.job, RETRY_AFTER = tostring(shop.retry_after or 3) },
    patience    = "15s",
    submit      = shop.clicks_again and click_again or post,
    claim       = claim,
  }
end
