-- Nothing is lost, and nobody gives up: a call takes as long as a call may take. Catches: a lock,
-- or a queue's own timeout, that is shorter than that.
return scenario {
    title = "the answer takes eight seconds, and comes",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = delay("8s") },
    },
}
