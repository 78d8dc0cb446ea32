-- The other half of c60: the proxy gave up and the provider never saw the request. Catches: 504
-- taken for "it is under way, so it will be paid"; an answer of any kind taken for success.
-- Control: any_answer_is_success breaks success_is_charged.
return scenario {
    title = "a proxy answers 504, and the provider never saw the request",
    faults = {
        { pays = true, attempt = 1, at = "received", act = proxy_error(504) },
    },
}
