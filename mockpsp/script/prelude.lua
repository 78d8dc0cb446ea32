-- The words of a scenario. This file is part of the programs, and runs before every scenario file.
--
-- Every word makes a plain table (the line that it was used in is added outside); what is right and
-- wrong about the values is decided in one place, when the tables are read.

local error, rawpairs, sort, type = error, pairs, table.sort, type
local words = {}

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

-- A fault for a share of all requests, for a while. What else a fault has can be given as well.
function words.storm(fields)
    if type(fields) ~= "table" then
        error('storm takes a table: storm { rate = 0.3, to = "10s", with = respond(503) }', 3)
    end
    local rate = fields.rate
    if type(rate) ~= "number" or not (rate > 0 and rate <= 1) then
        error("storm: rate is a number above 0, up to 1: 0.3 for three of ten requests", 3)
    end
    if fields.with == nil then
        error("storm: with is missing: what shall happen to them?", 3)
    end
    if fields.chance ~= nil or fields.act ~= nil then
        error("storm takes rate and with in place of chance and act", 3)
    end
    local rule = { at = "received" }
    for name, value in rawpairs(fields) do
        rule[name] = value
    end
    rule.chance, rule.act, rule.rate, rule.with = rate, fields.with, nil, nil
    return rule
end

function words.scenario(fields)
    return fields
end

return words
