-- The words of a scenario. This file is part of the programs, and runs before every scenario file.
--
-- Every word makes a plain table (the line that it was used in is added outside); what is right and
-- wrong about the values is decided in one place, when the tables are read.

local words = {}

local function act(kind, fields)
    local action = { kind = kind }
    for name, value in pairs(fields or {}) do
        action[name] = value
    end
    return action
end

-- For a word with one main value, which may be given by name as well: delay("2s"), delay{ms = "2s"}.
local function by_name(name, value)
    if type(value) == "table" then
        return value
    end
    return { [name] = value }
end

function words.scenario(fields)
    return fields
end

function words.pass()
    return act("pass")
end

function words.drop()
    return act("drop")
end

function words.reset()
    return act("reset")
end

function words.hang()
    return act("hang")
end

function words.delay(ms)
    return act("delay", by_name("ms", ms))
end

function words.decline(code)
    return act("decline", by_name("code", code))
end

-- respond(503), respond(503, "body", {["Retry-After"] = "1"}), respond(503, {body = …, store = true}),
-- respond{status = 503, …}
function words.respond(status, body, headers)
    local fields = { status = status, body = body, headers = headers }
    if type(status) == "table" then
        fields = status
    elseif type(body) == "table" then
        fields = act("respond", body)
        fields.status = status
    end
    return act("respond", fields)
end

function words.crash_psp(down)
    return act("crash_psp", by_name("down", down))
end

-- crash_client(), crash_client("TERM"), crash_client{after = "20ms"}
function words.crash_client(signal)
    return act("crash_client", by_name("signal", signal))
end

return words
