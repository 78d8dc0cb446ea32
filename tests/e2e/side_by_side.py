"""One world at a time, two, or eight: the same verdicts, for the same reasons."""
import concurrent.futures
import json
import os
import subprocess
import unittest

SOURCE = os.environ["SOURCE_DIR"]
BUILD = os.environ["BUILD_DIR"]
PSP_HARNESS = os.environ["PSP_HARNESS"]

AT_ONCE = (1, 2, 8)
ALL_PASS, SOME_FAIL = 0, 1

# Nobody listens for half a second there: a client that does not wait has used up its runs by then
# where they are quick, and on a busy machine it has not.
BY_THE_CLOCK = {"scenarios/e50_nobody_listens_after_the_charge.lua",
                "scenarios/e60_nobody_listens_before_the_charge.lua"}


def play(client, at_once, *files):
    """Exit status, and for every scenario its verdict with what failed."""
    ended = subprocess.run([PSP_HARNESS, "run", "-j", str(at_once), "--format", "json",
                            *(files or ["scenarios"]), "--", client], cwd=SOURCE, capture_output=True, text=True,
                           check=False)
    verdicts = {}
    for scenario in json.loads(ended.stdout)["scenarios"]:
        failed = {(finding["invariant"], finding["order"], finding["cause"])
                  for finding in scenario["invariants"]
                  if finding["severity"] == "fails" and finding["result"] == "violated"}
        verdicts[scenario["file"]] = (scenario["verdict"], sorted(failed))
    return ended.returncode, verdicts


class SideBySide(unittest.TestCase):
    def expect_the_same(self, client, wanted, but=frozenset()):
        # A run waits most of its time, and may do so beside the others.
        with concurrent.futures.ThreadPoolExecutor() as pool:
            runs = list(pool.map(lambda at_once: play(client, at_once), AT_ONCE))
        for at_once, (status, verdicts) in zip(AT_ONCE, runs):
            self.assertEqual(status, wanted, f"-j {at_once}")
            self.assertEqual(set(verdicts), set(runs[0][1]), f"-j {at_once}")
            other = [file for file, verdict in runs[0][1].items()
                     if file not in but and verdicts[file] != verdict]
            # Whoever gives up after a second does it on a busy machine as well, and then no more.
            if other:
                self.assertEqual(play(client, at_once, *other), play(client, 1, *other))
        self.assertEqual(len(runs[0][1]), sum(name.endswith(".lua") for name in
                                              os.listdir(os.path.join(SOURCE, "scenarios"))))

    def test_a_client_that_fails_most(self):
        self.expect_the_same(os.path.join(BUILD, "client-naive-c"), SOME_FAIL, BY_THE_CLOCK)

    def test_a_client_that_passes_all(self):
        self.expect_the_same(os.path.join(BUILD, "client-careful-c"), ALL_PASS)


if __name__ == "__main__":
    unittest.main(verbosity=2)
