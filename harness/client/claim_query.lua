-- A claim that is a query of the client's database: made into the function that asks it. The fields
-- were checked. An order without a row is one that nobody knows about: unknown.
return function(claim)
  local END = "PSP_HARNESS_END_OF_QUERY"

  -- Whatever a client calls paid. Words that are not listed are not final.
  local function said(word, payment)
    if word == nil or word == "" then return "unknown" end
    if claim.words then word = claim.words[tostring(word)] or "unknown" end
    return tostring(word), payment ~= "" and payment or nil
  end

  local function ask_sqlite(order)
    local rows = sqlite(claim.sqlite, claim.query, order.id)
    local row = rows and rows[1] or {}
    if row.outcome == nil and row.payment == nil then return said((select(2, next(row)))) end
    return said(row.outcome, row.payment)
  end

  -- It comes on the command's stdin, and nothing is pasted into it.
  local function ask_command()
    local text, status = sh("{ " .. claim.command .. "\n} <<'" .. END .. "'\n" .. claim.query
                            .. "\n" .. END)
    if status ~= 0 then
      error("claim: its command ended with status " .. status .. ": " .. claim.command, 0)
    end
    local word, payment = text:match("^([^|\t\n]*)[|\t]?([^|\t\n]*)")
    return said(word, payment ~= "NULL" and payment or nil) -- as mysql prints it
  end

  return claim.sqlite and ask_sqlite or ask_command
end
