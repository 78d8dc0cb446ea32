"""What curl makes of each action on a cold and on a warm connection: the codes that scripts go by, and
the README has. Its table of actions is held to the one in wire_table.py."""
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import Mockpsp, PspTest, main, new_account  # noqa: E402
from wire_case import once  # noqa: E402
from wire_table import ACTIONS  # noqa: E402

# These take the whole provider with them.
ALONE = ("refuse", "crash_psp")


def curl(port, account, warm, *options):
    """curl's exit code for a POST, after a GET on the same connection if WARM. A request that goes
    unanswered is given up after a while, all others are waited for."""
    url = f"http://127.0.0.1:{port}/v1/"
    always = ["-s", "-o", "/dev/null", "-u", account + ":"]
    first = [*always, url + "charges", "--next"] if warm else []
    return subprocess.run(["curl", *first, *always, "-d", "amount=500&currency=usd", *options,
                           url + "charges"], check=False).returncode


class Curl(PspTest):
    def test_every_action(self):
        for kind, row in ACTIONS.items():
            if row.curl is None or kind in ALONE:
                continue
            patience = ["--max-time", "0.3"] if 28 in row.curl else ["--max-time", "20"]
            for at in row.where:
                for warm in (False, True):
                    with self.subTest(kind=kind, at=at, warm=warm):
                        account = new_account()
                        self.psp.faults(once(at, kind), account=account)
                        self.assertIn(curl(self.psp.port, account, warm, *patience),
                                      row.curl_codes(warm))

    def test_those_that_take_the_provider_with_them(self):
        for kind in ALONE:
            for at in ACTIONS[kind].where[:4]:
                for warm in (False, True):
                    with self.subTest(kind=kind, at=at, warm=warm):
                        psp = Mockpsp("--quiet")
                        psp.faults(once(at, kind))
                        self.addCleanup(psp.clean)
                        self.assertIn(curl(psp.port, "sk_test_1", warm),
                                      ACTIONS[kind].curl_codes(warm))

    def test_a_status_is_no_failure_unless_asked_for(self):
        for kind in ("respond", "proxy_error"):
            account = new_account()
            self.psp.faults(once("received", kind), account=account)
            self.assertEqual(curl(self.psp.port, account, False, "--fail"), 22)

    def test_the_second_try_on_a_warm_connection(self):
        """It is curl's own, without a word, and without a key it charges twice."""
        account = new_account()
        self.psp.faults(once("after_commit", "drop"), account=account)
        self.assertEqual(curl(self.psp.port, account, True), 0)
        self.assertEqual(len(self.psp.ledger(account)["charges"]), 2)


class Readme(unittest.TestCase):
    def test_the_table_of_actions(self):
        """| `drop()` | what happens | on the socket | curl |"""
        path = os.path.join(os.environ["SOURCE_DIR"], "scenarios", "README.md")
        with open(path, encoding="utf-8") as file:
            rows = re.findall(r"(?m)^\| `(\w+)\([^|]*\| [^|]+ \| ([^|]+) \| ([^|]+) \|$", file.read())
        said = {name: (socket, codes) for name, socket, codes in rows if name in ACTIONS}
        self.assertEqual(said, {kind: (row.socket, row.curl_cell())
                                for kind, row in ACTIONS.items()})


if __name__ == "__main__":
    main()
