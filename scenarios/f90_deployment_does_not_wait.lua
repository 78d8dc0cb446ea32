-- A deployment: the worker is told to end (SIGTERM), the charge stands, and its answer does not
-- come before the worker's grace is over and it is killed, if it has tried to finish. Catches: a
-- key that lives in memory, because "we always finish what we do before we end".
-- Control: new_key_every_run breaks charged_once.
return scenario {
    title = "the worker is told to end, and the answer does not come before it is killed",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = { stop_client("500ms"), hang() } },
    },
}
