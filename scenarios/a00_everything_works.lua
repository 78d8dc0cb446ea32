-- Nothing goes wrong. A client that does not pass here would fail everywhere, for reasons that
-- have nothing to do with faults. Catches: a wrong amount, a wrong exit status, a URL that is not
-- ours; one that gives every order up is inconclusive.
-- Control: amount_in_units breaks charge_matches_order.
return scenario {
    title = "everything works",
    orders = 3,
}
