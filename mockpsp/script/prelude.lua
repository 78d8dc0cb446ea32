-- The words of a scenario. This file is part of the programs, and runs before every scenario file.
--
-- Every word makes a plain table (the line that it was used in is added outside); what is right and
-- wrong about the values is decided in one place, when the tables are read.

local concat, error, rawpairs, sort, type = table.concat, error, pairs, table.sort, type
local words = {}

local function act(kind, fields)
    local action = { kind = kind }
    for name, value in rawpairs(fields or {}) do
        action[name] = value
    end
    return action
end

-- For a word with one main value, which may have its name: delay("2s") or delay{ms = "2s"}.
local function by_name(name, value)
    if type(value) == "table" then
        return value
    end
    return { [name] = value }
end

local RANK = { number = 1, string = 2 }

local function before(left, right)
    local rank_left, rank_right = RANK[type(left)] or 3, RANK[type(right)] or 3
    if rank_left == rank_right and rank_left < 3 then
        return left < right
    end
    return rank_left < rank_right
end

-- Lua walks a table in an order that changes from run to run, and a run has to be repeatable. So:
-- first numbers, then text, each in order.
function words.pairs(fields)
    if type(fields) ~= "table" then
        error("pairs takes a table, not a " .. type(fields), 3)
    end
    local keys, at = {}, 0
    for key in rawpairs(fields) do
        keys[#keys + 1] = key
    end
    sort(keys, before)
    return function()
        at = at + 1
        return keys[at], fields[keys[at]]
    end
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

-- truncate(10), truncate{bytes = 10}
function words.truncate(bytes)
    return act("truncate", by_name("bytes", bytes))
end

-- dribble(1, "100ms"), dribble{bytes = 1, every = "100ms"}
function words.dribble(bytes, every)
    local fields = bytes
    if type(bytes) ~= "table" then
        fields = { bytes = bytes, every = every }
    end
    return act("dribble", fields)
end

-- garbage(), garbage("SSH-2.0-OpenSSH_9.2")
function words.garbage(body)
    return act("garbage", by_name("body", body))
end

-- late(), late("200ms")
function words.late(ms)
    return act("late", by_name("ms", ms))
end

function words.decline(code)
    return act("decline", by_name("code", code))
end

-- respond(503), respond(503, "body", {["Retry-After"] = "1"}), respond(503, {store = true, …}),
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

local names = {}
for name in words.pairs(words) do
    names[#names + 1] = name
end

return words, concat(names, ", ")
