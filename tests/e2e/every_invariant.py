"""Every invariant, failing or warning: a client that breaks only it is found, and the right cause is
named; the same client without that mistake passes. Every cause that a client can have is found.

The invariants are those of `psp-harness list`: one without a row here fails the test.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import tempfile
import unittest

PSP_HARNESS = os.environ["PSP_HARNESS"]
SOURCE = os.environ["SOURCE_DIR"]
CLIENTS = os.path.join(SOURCE, "scenarios", "clients")
KINDS = {"batch": os.path.join(CLIENTS, "careless_habits.py"),
         "careless": os.path.join(CLIENTS, "careless.py"),
         "listener": os.path.join(CLIENTS, "careless_listener.py"),
         "habits": os.path.join(CLIENTS, "careless_habits.py")}
AT_ONCE = 6  # worlds mostly wait

ASKS_FOR_TIME = "faults = { { pays = true, attempt = 1, at = 'received'," \
    " act = respond(503, { retry_after = 2 }) } }"
HANGS = "faults = { { pays = true, attempt = 1, at = 'received', act = hang() } }"
FAILS = "faults = { { pays = true, at = 'received', times = %d, act = respond(503) } }"

MANY = ("--orders", "16")  # for who has no brake; one order of somebody careful is enough

# invariant: its cause, the client and its mistake, the scenario (a name, or its fields), options
INVARIANTS = {
    "charged_once": ("key_expired", "careless key_trusted_forever", "f30"),
    "charge_matches_order": ("wrong_units", "careless amount_in_units", "a00"),
    "success_is_charged": ("silence_as_success", "careless silence_is_success", "b20"),
    "failure_is_not_charged": ("silence_as_failure", "careless silence_is_failure", "b10"),
    "settles": ("spent_key", "careless one_key_forever", "c40"),
    "key_means_one_request": ("body_changed", "habits body_changes", "b20"),
    "webhook_effect_once": ("event_at_once", "listener looks_then_ships", "webhooks/w60"),
    "no_live_key": ("live_key", "habits live_key", "a00"),
    "key_sent": ("no_key", "careless no_key", "a00"),
    "key_survives": ("new_key", "careless new_key_every_try", "b20"),
    "retries_only_retryable": ("final_again", "habits decline_again", "g10"),
    "retries_bounded": ("no_end", "habits no_end", FAILS % 12),
    "waits_between_retries": ("retry_after_ignored", "habits no_pause", ASKS_FOR_TIME),
    "gives_up_in_time": ("no_timeout", "habits no_timeout", HANGS, "--timeout", "15s"),
    "storm_is_bounded": ("no_breaker", "batch no_breaker", FAILS % 120, *MANY),
}

# The causes beside those: the invariant that names it, who, and where.
CAUSES = [
    ("new_key", "charged_once", "careless new_key_every_try", "b40"),
    ("key_lost", "charged_once", "careless new_key_every_run", "f10"),
    ("key_lost", "key_survives", "careless new_key_every_run", "f40"),
    ("key_expired", "charged_once", "careless key_trusted_forever", "h10"),
    ("no_key", "charged_once", "careless no_key", "b10"),
    ("delivered_twice", "charged_once", "careless no_key", "m10"),
    ("key_shared", "key_means_one_request", "careless one_key_for_all", "a10"),
    ("concurrent_twin", "charged_once", "double_click/select_insert", "d40"),
    ("asked_in_vain", "charged_once", "careless first_page_is_all", "k40"),
    ("gave_up", "failure_is_not_charged", "careless out_of_tries_is_failure", "s20"),
    ("silence_as_failure", "failure_is_not_charged", "careless timeout_is_failure", "d20"),
    ("error_as_failure", "failure_is_not_charged", "careless status_5xx_is_failure", "c20"),
    ("refused_retry_as_failure", "failure_is_not_charged", "careless status_409_is_failure", "d50"),
    ("refused_retry_as_failure", "failure_is_not_charged", "careless status_429_is_failure", "l10"),
    ("later_no_as_failure", "failure_is_not_charged", "careless status_4xx_is_failure", "l20"),
    ("yes_as_failure", "failure_is_not_charged", "careless not_final_is_failure", "g40"),
    ("before_settlement", "success_is_charged", "careless status_200_is_success", "g50"),
    ("error_as_success", "success_is_charged", "careless any_answer_is_success", "c70"),
    ("no_as_success", "success_is_charged", "careless any_answer_is_success", "g10"),
    ("answer_not_believed", "settles", "careless decline_is_unknown", "g30"),
    ("forged_event", "webhook_effect_once", "listener forged_is_shipped", "webhooks/w70"),
    ("older_event", "webhook_effect_once", "listener older_event_undoes", "webhooks/w80"),
    ("answer_and_event", "webhook_effect_once", "listener answer_ships_too", "webhooks/w90"),
    ("done_before_mark", "webhook_effect_once", "listener shipping_is_noted_later", "webhooks/w95"),
    ("before_payment", "webhook_effect_once", "habits shipped_before", "a00"),
]


def client_of(spec, careful=False):
    """The words that name it on a command line."""
    if "/" in spec:
        return ["--client", os.path.join(CLIENTS, spec + ".lua")]
    kind, mistake = spec.split()
    if kind == "batch" and not careful:
        return ["--batch", mistake]
    return ["--", "/usr/bin/python3", KINDS[kind], "--mistake", "none" if careful else mistake]


def batch_file(home, mistake):
    """A client file, for many orders."""
    path = os.path.join(home, mistake + ".lua")
    with open(path, "w", encoding="utf-8") as file:
        words = ["/usr/bin/python3", KINDS["batch"], "--batch", "--mistake", mistake]
        file.write("return client { batch = { %s } }" % ", ".join(map(json.dumps, words)))
    return ["--client", path]


def play(home, client, scenario, *options):
    """The exit status, and the entry of the report."""
    if client[0] == "--batch":
        client = batch_file(home, client[1])
    if "=" in scenario:
        path = os.path.join(home, re.sub(r"\W+", "_", client[-1] + scenario)[-100:] + ".lua")
        with open(path, "w", encoding="utf-8") as file:
            file.write("return scenario { title = 'of its own', " + scenario + " }\n")
    else:
        folder, _, start = scenario.rpartition("/")
        folder = os.path.join(SOURCE, "scenarios", folder)
        path, = (os.path.join(folder, name) for name in os.listdir(folder)
                 if name.startswith(start + "_"))
    done = subprocess.run([PSP_HARNESS, "run", "--format", "json", "--strict", *options, path,
                           *client], cwd=SOURCE, env={**os.environ, "TMPDIR": home},
                          stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    try:
        return done.returncode, json.loads(done.stdout)["scenarios"][0]
    except ValueError as error:
        raise AssertionError(done.stdout + done.stderr) from error


def play_all(lots):
    with tempfile.TemporaryDirectory(prefix="psp-every.") as home, \
            concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda lot: play(home, *lot), lots))


def violations(entry):
    """The causes by invariant."""
    return {finding["invariant"]: finding.get("cause") for finding in entry["invariants"]
            if finding["result"] == "violated"}


class Every(unittest.TestCase):
    def test_every_invariant_has_a_row(self):
        listed = subprocess.run([PSP_HARNESS, "list"], cwd=SOURCE, capture_output=True, text=True,
                                check=True).stdout
        names = re.search(r"^invariants.*\n((?:  .*\n)+)", listed, re.MULTILINE).group(1)
        self.assertEqual(sorted(INVARIANTS), sorted(re.findall(r"^  (\w+)", names, re.MULTILINE)))

    def test_who_breaks_only_it_is_found(self):
        lots = [(client_of(client), *rest) for _, client, *rest in INVARIANTS.values()]
        for (invariant, (cause, *row)), (status, entry) in zip(INVARIANTS.items(), play_all(lots)):
            with self.subTest(invariant, row=row):
                self.assertEqual(violations(entry), {invariant: cause}, entry["reasons"])
                self.assertEqual((status, entry["verdict"]), (1, "fail"), entry["reasons"])
                seqs = [finding.get("seq", 0) for finding in entry["invariants"]
                        if finding["result"] == "violated"]
                self.assertTrue(all(seqs), "no line of the story is marked")

    def test_who_keeps_it_passes(self):
        lots = [(client_of(client, careful=True), scenario,
                 *(option for option in options if option not in MANY))
                for _, client, scenario, *options in INVARIANTS.values()]
        for (invariant, row), (status, entry) in zip(INVARIANTS.items(), play_all(lots)):
            with self.subTest(invariant, row=row):
                self.assertEqual((status, entry["verdict"]), (0, "pass"), entry["reasons"])

    def test_a_new_key_for_a_good_reason_is_no_finding(self):
        """After a confirmed decline; after a question that excludes the first try."""
        lots = [(client_of("habits second_card"), "g10"), (client_of("careless none"), "c40")]
        for row, (status, entry) in zip(lots, play_all(lots)):
            with self.subTest(row=row):
                self.assertEqual((status, violations(entry)), (0, {}), entry["reasons"])

    def test_what_was_refunded_was_charged_all_the_same(self):
        (status, entry), = play_all([(client_of("habits refunds_one"), "b10")])
        self.assertEqual((status, violations(entry).get("charged_once")), (1, "new_key"))
        self.assertIn("a refund came later, but both charges were made", entry["reasons"][0])

    def test_the_cause_is_named(self):
        lots = [(client_of(client), scenario) for _, _, client, scenario in CAUSES]
        for (cause, invariant, *row), (_, entry) in zip(CAUSES, play_all(lots)):
            with self.subTest(cause, row=row):
                self.assertEqual(violations(entry).get(invariant), cause, entry["reasons"])


if __name__ == "__main__":
    unittest.main()
