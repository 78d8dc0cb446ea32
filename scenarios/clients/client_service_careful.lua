local shop = require "lib.shop"

return client {
  service   = { "python3", "service_careful.py" },
  ready     = { port = "{app_port}", timeout = "30s" },
  submit    = shop.submit,
  claim     = shop.claim,
  directory = ".",
}
