-- A condition for `when`: the order has been charged already, so this is a retry, or a question
-- about it. With attempt = 1 it is the first request after the charge, whatever it asks.
local function charged(req)
    return history.count { kind = "effect", order = req.order } > 0
end

return charged
