-- The first try never arrives, the second is done and its answer lost: to the client both look the
-- same. Catches: a client that has learnt from the first that nothing was done, and pays anew.
-- Control: no_key breaks charged_once.
local lost = require "lib.lost"

return scenario {
    title = "the request is lost, and then the answer to the next try",
    faults = { lost.request(), lost.answer { attempt = 2 } },
}
