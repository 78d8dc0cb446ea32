"""One world at a time, two, or eight: the same verdicts, for the same reasons.

The eight are played by the sanitized programs, the others by the quick ones.
"""
import concurrent.futures
import json
import os
import subprocess
import unittest

SOURCE = os.environ["SOURCE_DIR"]
BUILD, QUICK = os.environ["BUILD_DIR"], os.environ["QUICK_DIR"]

AT_ONCE = (1, 2, 8)
# A run waits most of its time: the scenarios are dealt out to so many runs of psp-harness, beside one
# another, each of which has so many worlds at a time as are compared.
RUNS = {1: 8, 2: 4, 8: 1}
ALL_PASS, SOME_FAIL = 0, 1

# Nobody listens for half a second there: a client that does not wait has used up its runs by then
# where they are quick, and on a busy machine it has not.
BY_THE_CLOCK = {"scenarios/e50_nobody_listens_after_the_charge.lua",
                "scenarios/e60_nobody_listens_before_the_charge.lua"}


def play(client, at_once, files):
    """Exit status, and for every scenario its verdict with what failed."""
    programs = BUILD if at_once == 8 else QUICK
    ended = subprocess.run([f"{programs}/psp-harness", "run", "-j", str(at_once), "--format", "json",
                            *files, "--", f"{programs}/{client}"], cwd=SOURCE,
                           capture_output=True, text=True, check=False)
    verdicts = {}
    for scenario in json.loads(ended.stdout)["scenarios"]:
        failed = {(finding["invariant"], finding["order"], finding["cause"])
                  for finding in scenario["invariants"]
                  if finding["severity"] == "fails" and finding["result"] == "violated"}
        verdicts[scenario["file"]] = (scenario["verdict"], sorted(failed))
    return ended.returncode, verdicts


def play_all(client):
    """The same of every scenario, for each of AT_ONCE."""
    files = [f"scenarios/{name}" for name in sorted(os.listdir(f"{SOURCE}/scenarios"))
             if name.endswith(".lua")]
    lots = [(at_once, files[run::RUNS[at_once]]) for at_once in AT_ONCE
            for run in range(RUNS[at_once])]
    all_of = {at_once: (0, {}) for at_once in AT_ONCE}
    with concurrent.futures.ThreadPoolExecutor(len(lots)) as pool:
        played = pool.map(lambda lot: play(client, *lot), lots)
        for (at_once, _), (status, verdicts) in zip(lots, played):
            worst, found = all_of[at_once]
            all_of[at_once] = (max(worst, status), found | verdicts)
    assert all(set(verdicts) == set(files) for _, verdicts in all_of.values())
    return all_of


class SideBySide(unittest.TestCase):
    def expect_the_same(self, client, wanted, but=frozenset()):
        runs = play_all(client)
        alone = runs[1][1]
        for at_once, (status, verdicts) in runs.items():
            self.assertEqual(status, wanted, f"-j {at_once}")
            other = [file for file, verdict in alone.items()
                     if file not in but and verdicts[file] != verdict]
            # Whoever gives up after a second does it on a busy machine as well, and then no more.
            if other:
                self.assertEqual(play(client, at_once, other), play(client, 1, other))

    def test_a_client_that_fails_most(self):
        self.expect_the_same("client-naive-c", SOME_FAIL, BY_THE_CLOCK)

    def test_a_client_that_passes_all(self):
        self.expect_the_same("client-careful-c", ALL_PASS)


if __name__ == "__main__":
    unittest.main(verbosity=2)
