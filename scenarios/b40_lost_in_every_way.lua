-- Three tries fail in three ways, and only the third has charged: closed on arrival, reset before
-- the commit, closed after it. All three look alike. Catches: a new key for every try; a client
-- that counts on the first lost answer being the last.
-- Control: new_key_every_try breaks charged_once.
return scenario {
    title = "the connection is lost three times, and the third request has charged",
    faults = {
        { pays = true, attempt = 1, at = "received", act = drop() },
        { pays = true, attempt = 2, at = "before_commit", act = reset() },
        { pays = true, attempt = 3, at = "after_commit", act = drop() },
    },
}
