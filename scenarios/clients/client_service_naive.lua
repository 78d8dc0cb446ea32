local shop = require "lib.shop"

return client {
  service   = { "python3", "service_naive.py" },
  ready     = { port = "{app_port}", timeout = "30s" },
  submit    = shop.submit,
  claim     = shop.claim,
  directory = ".",
}
