-- The first order is declined and the answer lost. A webhook says that it is paid, but it is
-- signed by somebody else. The second order is paid. Catches: a signature that is not checked, or
-- checked after something was done.
-- Control: forged_is_shipped breaks webhook_effect_once.
return scenario {
    title = "somebody else says that a declined order is paid, and it is not shipped",
    orders = 2,
    effects = true,
    faults = {
        { pays = true, nth = 1, at = "received", act = decline("lost_card") },
        { pays = true, nth = 1, at = "responding", act = drop() },
        { on = "payment_intent.payment_failed", attempt = 1, at = "webhook", act = forge() },
    },
}
