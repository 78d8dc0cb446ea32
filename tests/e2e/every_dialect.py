"""The same careful client at twelve providers: where it is unsafe, the report says so, and why."""
import json
import os
import subprocess
import unittest

SOURCE = os.environ["SOURCE_DIR"]
CLIENT = os.path.join(SOURCE, "scenarios", "clients", "careful.sh")


def run(*arguments):
    ended = subprocess.run([os.environ["PSP_HARNESS"], "run", "--format", "json", *arguments, "--",
                            CLIENT], cwd=SOURCE, capture_output=True, text=True, check=False)
    return ended.returncode, json.loads(ended.stdout)["scenarios"], ended.stderr


class EveryDialect(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.status, cls.entries, cls.said = run(
            "--dialect", "every", "scenarios/b10_response_dropped_after_commit.lua")

    def test_a_lost_response_at_twelve_providers(self):
        self.assertEqual(self.status, 1, self.said)
        found = {entry["dialect"]: entry for entry in self.entries}
        # Its header is the one that counts, and it repeats the same request.
        for name in ("stripe", "stripe-v2", "adyen", "gocardless", "mollie", "modern-treasury"):
            self.assertEqual(found[name]["verdict"], "pass", found[name]["reasons"])
        # Its key is in a header that nobody looks at.
        for name, wanted in (("checkout", "looks at Cko-Idempotency-Key"),
                             ("paypal", "looks at PayPal-Request-Id"),
                             ("none", "takes no keys")):
            self.assertEqual(found[name]["verdict"], "fail")
            self.assertIn("charged_once", found[name]["reason"])
            self.assertIn(wanted, found[name]["reason"])
        # It never gets as far as a charge: that is no pass either.
        for name in ("ietf", "square", "yookassa"):
            self.assertNotEqual(found[name]["verdict"], "pass")
            self.assertTrue(any("never struck" in text for text in found[name]["reasons"]))
        self.assertEqual(len(found), 12)

    def test_the_provider_really_speaks_it(self):
        for entry in self.entries:
            if entry["verdict"] == "pass":
                continue
            ups = [event["data"]["dialect"] for event in entry["history"] if event["kind"] == "up"]
            self.assertEqual(set(ups), {entry["dialect"]})
            self.assertIn(f"--dialect {entry['dialect']}", entry["replay"])


if __name__ == "__main__":
    unittest.main(verbosity=2)
