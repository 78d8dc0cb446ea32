"""Jobs at a bank that takes a minute: 202 PROCESSING is neither paid nor failed, and what the clock
settles later, without any request, counts for the order that asked for it."""
import json
import os
import subprocess
import tempfile
import unittest

SOURCE = os.environ["SOURCE_DIR"]

SCENARIO = """
return scenario {
    title = "the bank takes a minute, and the first answer is lost",
    orders = 2,
    faults = { { on = "POST *", attempt = 1, at = "after_commit", act = drop() } },
    run = function(world)
        world:start():wait()
        world:advance("2m")
        world:settle() -- what is still processing then is settled before the verdict
    end,
}
"""


# Nobody moves the clock: before the last try and before the verdict it moves by itself.
PATIENT = """
return scenario { title = "the bank takes a minute" }
"""


def run(client, method, scenario=SCENARIO):
    """The exit status, and the invariants that were violated."""
    with tempfile.TemporaryDirectory(prefix="psp-test.") as folder:
        file = os.path.join(folder, "bank.lua")
        with open(file, "w", encoding="utf-8") as out:
            out.write(scenario)
        ended = subprocess.run(
            [os.environ["PSP_HARNESS"], "run", "--format", "json", file, "--", "/usr/bin/python3",
             os.path.join(SOURCE, "scenarios", "clients", client + "_plain.py")],
            env={**os.environ, "TMPDIR": folder, "PAYMENT_METHOD": "pm_usBankAccount_" + method},
            capture_output=True, text=True, check=False)
    reasons = json.loads(ended.stdout)["scenarios"][0]["reasons"]
    return ended.returncode, " ".join(reasons), ended.stderr


class Bank(unittest.TestCase):
    def test_the_careful_job_asks_until_it_knows(self):
        for method in ("success", "processing_failure"):
            status, reasons, said = run("careful", method)
            self.assertEqual(status, 0, reasons + said)

    def test_a_second_payment_is_seen_when_it_settles(self):
        status, reasons, said = run("naive", "success")
        self.assertEqual(status, 1, said)
        self.assertIn("charged twice", reasons)

    def test_a_verdict_waits_for_the_bank(self):
        status, reasons, said = run("careful", "success", PATIENT)
        self.assertEqual(status, 0, reasons + said)
        status, reasons, said = run("naive", "processing_failure", PATIENT)
        self.assertEqual(status, 1, said)
        self.assertIn("nothing was charged", reasons)

    def test_a_bank_that_never_answers_is_no_pass(self):
        status, reasons, said = run("naive", "processing", PATIENT)
        self.assertEqual(status, 1, reasons + said)  # it calls paid what may never be
        self.assertIn("still being processed", reasons)

    def test_202_is_not_paid(self):
        status, reasons, said = run("naive", "processing_failure")
        self.assertEqual(status, 1, said)
        self.assertIn("nothing was charged", reasons)


if __name__ == "__main__":
    unittest.main(verbosity=2)
