-- Nothing goes wrong, and there is more than one order. Catches: an idempotency key that does not
-- name the order, but the customer, the day or the worker: the second order is refused at best, and
-- with a provider that does not compare it "succeeds" with the payment of the first.
-- Control: one_key_for_all breaks key_means_one_request.
return scenario {
    title = "several orders, one after the other",
    orders = 4,
}
