-- The job runs again after f20, and is killed again, whatever it was doing: paying or asking. The
-- third run has to come to know. Catches: a clean-up at the start of a job that works once.
-- Control: new_key_every_run breaks charged_once.
return scenario {
    title = "the worker is killed after its first answer, and again after its second",
    faults = {
        { attempt = { 1, 2 }, at = "responded", act = crash_client() },
    },
}
