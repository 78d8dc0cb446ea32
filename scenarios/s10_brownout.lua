-- A provider on a bad day: of all that it does, half is done and the answer lost, two fifths are
-- not done at all. Which is which follows --seed. Catches: what works once and not time after time.
-- Control: new_key_every_try breaks charged_once.
return scenario {
    title = "half of all answers are lost, and two of five requests",
    orders = 6,
    faults = {
        { chance = 0.5, at = "responding", act = drop() },
        storm { rate = 0.4, with = respond(503) },
    },
}
