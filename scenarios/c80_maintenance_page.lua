-- 200 with a page in HTML, from somebody who is not the provider: maintenance, a captive portal, a
-- firewall. Nothing was charged. Catches: a client that looks at the status line alone.
-- Control: status_200_is_success breaks success_is_charged.
return scenario {
    title = "200 with a page in HTML, and no charge",
    faults = {
        {
            pays = true,
            attempt = 1,
            at = "received",
            act = respond(200, {
                body = "<html><body>We will be back in a minute.</body></html>",
                headers = { ["Content-Type"] = "text/html" },
            }),
        },
    },
}
