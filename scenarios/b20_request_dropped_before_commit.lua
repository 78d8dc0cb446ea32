-- The same sight from outside as b10, but nothing was charged: it was rolled back. The pair
-- belongs together: whoever "solves" b10 by never trying again loses the order here. Catches: "no
-- answer" taken for "succeeded". A job that gives up for good is inconclusive: it may do so, and
-- has shown nothing.
-- Control: silence_is_success breaks success_is_charged.
return scenario {
    title = "the connection is lost before the charge commits",
    faults = {
        { pays = true, attempt = 1, at = "before_commit", act = drop() },
    },
}
