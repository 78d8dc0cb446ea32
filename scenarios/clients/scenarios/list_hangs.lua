-- There are two providers, here two routes of one. The one that keeps the list of customers takes a
-- request and never answers; that of payments is well.
return scenario {
    title = "one provider hangs, and that of payments is well",
    orders = 1,
    faults = {
        { on = "POST /v1/customers", nth = 1, at = "received", act = hang() },
    },
}
