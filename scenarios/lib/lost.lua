-- What gets lost on the way, as entries of `faults`: local lost = require "lib.lost".
-- They are for the first request that pays, whatever a client sends before it. Fields of a fault
-- may be given, and go before ours: lost.answer { attempt = 2, act = reset() }.
local lost = {}

local function fault(at, fields)
    local rule = { pays = true, attempt = 1, at = at, act = drop() }
    for name, value in pairs(fields or {}) do
        rule[name] = value
    end
    return rule
end

-- Nothing is done.
function lost.request(fields)
    return fault("before_commit", fields)
end

-- It is done, and nobody is told.
function lost.answer(fields)
    return fault("after_commit", fields)
end

return lost
