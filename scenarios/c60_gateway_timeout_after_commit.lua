-- The charge stands, and a proxy that did not want to wait says 504. Catches: "an error, so it did
-- not happen", and a new key for the next try.
-- Control: new_key_after_error breaks charged_once.
return scenario {
    title = "a proxy answers 504 after the charge has committed",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = proxy_error(504) },
    },
}
