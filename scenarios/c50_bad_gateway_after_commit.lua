-- The charge stands, and a proxy on the way says 502 with a page of its own, in HTML. Catches: a
-- client that parses the body before it looks at the status, and dies of it; 5xx taken for
-- "failed".
-- Control: html_is_failure breaks failure_is_not_charged.
return scenario {
    title = "a proxy answers 502 in HTML after the charge has committed",
    faults = {
        { pays = true, attempt = 1, at = "after_commit", act = proxy_error(502) },
    },
}
