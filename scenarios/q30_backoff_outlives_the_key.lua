-- The charge stands, its answer is lost, and the provider is out of order for two hours. The queue
-- tries again after a minute, and then after 26 hours, when the provider has forgotten the key.
-- Catches: a queue whose pauses add up to more than a key lives, and a job that does not ask first.
-- Control: key_trusted_forever breaks charged_once.
local charged = require "lib.charged"
local lost = require "lib.lost"

return scenario {
    title = "the response is lost, and the queue's second pause outlives the key",
    queue = { backoff = { "1m", "26h" } },
    faults = {
        lost.answer(),
        storm { rate = 1, to = "2h", when = charged, with = proxy_error(503) },
    },
}
