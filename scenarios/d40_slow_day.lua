-- The answer takes half a second, as it does on a bad day; the charge stands long before. Catches:
-- a timeout shorter than that, and a new key after it.
-- Control: impatient breaks charged_once.
return scenario {
    title = "the answer takes half a second",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = delay("500ms") },
    },
}
