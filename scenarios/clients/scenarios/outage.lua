-- The provider answers 503 to everything, for three seconds from the first request on.
local began

return scenario {
    title = "the provider answers 503 to everything for three seconds",
    orders = 50,
    faults = {
        {
            at = "received",
            act = respond(503),
            when = function()
                began = began or now()
                return now() - began < 3000
            end,
        },
    },
}
