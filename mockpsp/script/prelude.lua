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

function words.scenario(fields)
    return fields
end

return words
