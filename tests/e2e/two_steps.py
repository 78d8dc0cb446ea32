"""Whole worlds with clients that pay in two steps, or by a bank account that takes its time: an order is
charged when its money is captured, or has come, and not before."""
import os
import shutil
import subprocess
import tempfile
import textwrap
import unittest

PSP_HARNESS = os.environ["PSP_HARNESS"]
SOURCE_DIR = os.environ["SOURCE_DIR"]

# What the clients below have in common: one call with a key, tried again while nobody knows.
CALLS = """\
    import json, os, sys, time, urllib.error, urllib.parse, urllib.request

    ORDER = os.environ["ORDER_ID"]
    INTENTS = "/v1/payment_intents"
    CREATE = {"amount": os.environ["ORDER_AMOUNT"], "currency": os.environ["ORDER_CURRENCY"],
              "confirm": "true", "payment_method": "pm_card_visa", "metadata[order_id]": ORDER}

    def call(path, params=None, key=None):
        data = None if params is None else urllib.parse.urlencode(params).encode()
        headers = {"Authorization": "Bearer " + os.environ["PSP_API_KEY"]}
        if key:
            headers["Idempotency-Key"] = key
        for _ in range(8):
            request = urllib.request.Request(os.environ["PSP_URL"] + path, data, headers)
            try:
                with urllib.request.urlopen(request, timeout=2) as answer:
                    return json.load(answer)
            except urllib.error.HTTPError as error:
                if error.code == 402:
                    sys.exit(1)
                if error.code < 500 and error.code not in (409, 429):
                    raise
            except OSError:
                pass
            time.sleep(0.05)
        sys.exit(75)

    def authorize(key):
        return call(INTENTS, {**CREATE, "capture_method": "manual"}, key)

    def capture(intent, key):
        return call(INTENTS + "/" + intent["id"] + "/capture", {}, key)
"""

CAREFUL = """\
    if capture(authorize(ORDER + "-pay"), ORDER + "-capture")["status"] != "succeeded":
        sys.exit(75)
"""

NEVER_CAPTURES = """\
    authorize(ORDER + "-pay")
"""

CAPTURES_TWO = """\
    for i in "12":
        capture(authorize(ORDER + "-pay" + i), ORDER + "-capture" + i)
"""

CAPTURES_A_PART = """\
    intent = authorize(ORDER + "-pay")
    call(INTENTS + "/" + intent["id"] + "/capture", {"amount_to_capture": 1}, ORDER + "-capture")
"""

GIVES_UP = """\
    call(INTENTS + "/" + authorize(ORDER + "-pay")["id"] + "/cancel", {}, ORDER + "-cancel")
    sys.exit(1)
"""

TRUSTS_A_BANK = """\
    call(INTENTS, {**CREATE, "payment_method": "pm_usBankAccount_success"}, ORDER + "-pay")
"""

ASKS_THE_BANK_AGAIN = """\
    CREATE["payment_method"] = "pm_usBankAccount_success"
    intent = call(INTENTS, CREATE, ORDER + "-pay")
    status = call(INTENTS + "/" + intent["id"])["status"]
    sys.exit(0 if status == "succeeded" else 75 if status == "processing" else 1)
"""

AN_HOUR_LATER = """\
    return scenario {
      title  = "the bank has paid by the time that somebody asks again",
      orders = 2,
      run    = function(world)
        world:start():wait()
        world:advance("1h")
        world:start():wait()
        world:settle()
      end,
    }
"""


class TwoSteps(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="psp-test.")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def write(self, name, text):
        path = os.path.join(self.home, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(text))
        return path

    def run_client(self, body, *scenarios):
        client = self.write("client.py", textwrap.dedent(CALLS) + textwrap.dedent(body))
        ended = subprocess.run(
            [PSP_HARNESS, "run", *scenarios, "--", "/usr/bin/python3", client], cwd=SOURCE_DIR,
            capture_output=True, text=True, env={**os.environ, "TMPDIR": self.home}, check=False)
        return ended.returncode, ended.stdout + ended.stderr

    def found(self, body, invariant, *words):
        status, said = self.run_client(body, "scenarios/a00_everything_works.lua")
        self.assertEqual(status, 1, said)
        self.assertIn(invariant, said)
        for one in words:
            self.assertIn(one, said)

    def test_a_careful_one_passes_every_fault(self):
        scenarios = [f"scenarios/{name}.lua" for name in (
            "a00_everything_works", "b10_response_dropped_after_commit",
            "b20_request_dropped_before_commit", "c20_error_after_commit",
            "e10_provider_killed_after_commit", "f10_worker_killed_before_response")]
        status, said = self.run_client(CAREFUL, *scenarios)
        self.assertEqual(status, 0, said)

    def test_what_was_never_captured_is_not_paid(self):
        self.found(NEVER_CAPTURES, "success_is_charged", "nothing was charged")

    def test_two_captures_are_two_charges(self):
        self.found(CAPTURES_TWO, "charged_once", "$ captured")

    def test_a_part_is_not_the_order(self):
        self.found(CAPTURES_A_PART, "charge_matches_order")

    def test_what_was_canceled_is_no_lie_and_no_proof(self):
        status, said = self.run_client(GIVES_UP, "scenarios/a00_everything_works.lua")
        self.assertEqual(status, 3, said)
        self.assertIn("order_1 was given up", said)

    def test_a_bank_that_has_not_paid_yet_has_not_paid(self):
        self.found(TRUSTS_A_BANK, "success_is_charged")

    def test_a_bank_that_pays_in_its_own_time(self):
        scenario = self.write("an_hour_later.lua", AN_HOUR_LATER)
        status, said = self.run_client(ASKS_THE_BANK_AGAIN, scenario)
        self.assertEqual(status, 0, said)


if __name__ == "__main__":
    unittest.main()
