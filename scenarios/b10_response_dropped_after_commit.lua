-- The charge stands, and the connection is closed before a byte of the answer. To the client it
-- looks like a server that is down, and a client that pays again with a new key charges twice.
-- Catches: no key at all; a new key for every try; "no answer" taken for "failed".
-- Control: no_key breaks charged_once.
return scenario {
    title = "the response is lost after the charge has committed",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = drop() },
    },
}
