-- A rate limit that is met all day long: of every three requests two are told 429, and when to come
-- again they are not. Catches: an answer of any kind taken for success; a client that knows no
-- pause but the one it is told.
-- Control: any_answer_is_success breaks success_is_charged.
return scenario {
    title = "of every three requests two are told 429",
    orders = 2,
    faults = {
        { burst = { strikes = 2, of = 3 }, at = "received", act = respond(429) },
    },
}
