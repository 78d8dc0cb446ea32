-- Nothing fails, and answers take as long as they do on a busy day: mostly a quarter of a second,
-- now and then most of one. Which is which follows --seed. Catches: a timeout set on a quiet day,
-- and a new key after it.
-- Control: impatient breaks charged_once.
return scenario {
    title = "answers take as long as they do on a busy day",
    orders = 3,
    faults = {
        {
            pays = true,
            attempt = { 1, 2 },
            at = "after_commit",
            act = delay(lognormal { median = "250ms", p99 = "900ms" }),
        },
    },
}
