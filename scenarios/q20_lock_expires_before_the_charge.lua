-- As q10, but the first worker's charge has not committed yet when the second worker asks for it,
-- and will. Catches: a list without the payment taken for proof that a new key is safe.
-- Control: empty_list_is_proof breaks charged_once.
return scenario {
    title = "the second worker finds no payment, and then the first one pays",
    queue = { visibility_timeout = "90s" },
    faults = {
        {
            pays = true,
            attempt = 1,
            at = "before_commit",
            act = { advance("2m"), delay("2700ms") },
        },
    },
}
