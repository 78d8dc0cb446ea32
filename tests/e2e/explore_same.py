"""The same command and seed: the same schedules, findings and files, however it was come by.

What is explored in full is so by the quick programs; the sanitized ones remember, go on and merge.
"""
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from explore_case import (  # noqa: E402
    FAIL, INCONCLUSIVE, MEMORY, QUICK, QUICK_HARNESS, USAGE, ExploreCase)

SPACE = ("--depth", "2")
MANY = ("-j", "6")  # they wait most of their time


class Same(ExploreCase):
    """All of them are compared with one exploration that nobody disturbed."""

    def expect_the_same(self, *directories):
        """Byte by byte, but for how long it took and what was remembered instead of played."""
        expected = self.report("whole")
        for directory in directories:
            found = self.report(directory)
            for report in (found, expected):
                for name in ("runs", "took_ms", "clients"):
                    report.pop(name, None)
            self.assertEqual(json.dumps(found, indent=1), json.dumps(expected, indent=1),
                             directory)
            self.assertEqual(self.regressions(directory), self.regressions("whole"), directory)
            self.assertEqual(self.schedules(directory), self.schedules("whole"), directory)

    def schedules(self, directory):
        """Those that were played or remembered, in whatever order."""
        trials = map(json.loads, self.trials(directory))
        return sorted(json.dumps([trial["plan"], trial["orders"], trial["turn"]])
                      for trial in trials)

    def begin_quick(self, *words):
        return self.begin(*words, program=QUICK_HARNESS, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)

    def end(self, process):
        """What it said on stdout."""
        said, errors = process.communicate()
        self.assertEqual(process.returncode, FAIL, said + errors)
        return said

    def explore_whole(self):
        self.end(self.begin_quick(*SPACE, *MANY, "--report", "whole"))
        report = self.report("whole")
        self.assertTrue(report["complete"])
        self.assertEqual(report["trust"]["wandering"], 0, report["trust"])
        self.assertGreater(report["levels"][2]["survived"], 10)
        self.assertGreater(report["levels"][2]["skipped"], 0)
        self.assertGreaterEqual(len(report["findings"]), 4)
        self.assertEqual(len(self.regressions("whole")), len(report["findings"]))

    def merge(self, report, *parts):
        return self.harness("merge", "--report", report, *parts)

    def shards(self):
        """Three machines, each of which plays one schedule at a time."""
        played, parts = [], []
        for shard in (1, 2, 3):
            self.env.update({"CI_NODE_INDEX": str(shard), "CI_NODE_TOTAL": "3"})
            parts.append(self.begin_quick(*SPACE, "-j", "1", "--report", f"shard-{shard}"))
        for shard, part in enumerate(parts, 1):
            self.assertIn(f"this is part {shard} of 3", self.end(part))
            self.assertLess(len(self.trials(f"shard-{shard}")), len(self.trials("whole")))
            played += self.schedules(f"shard-{shard}")
        for name in ("CI_NODE_INDEX", "CI_NODE_TOTAL"):
            del self.env[name]
        self.assertEqual(sorted(set(played)), self.schedules("whole"))
        ended = self.merge("merged", "shard-3", "shard-1", "shard-2")
        self.assertEqual(ended.returncode, FAIL, ended.stderr)
        self.assertEqual(self.report("merged")["runs"], 0, "it plays nothing")
        shutil.copy(self.path("whole", MEMORY), self.path("merged", MEMORY))
        self.expect_the_same("merged")

    def a_shard_that_is_missing(self):
        parts = sorted(("shard-1", "shard-2", "shard-3"), key=lambda part: len(self.trials(part)))
        ended = self.merge("two", *parts[:2])
        self.assertFalse(self.report("two")["complete"], "that with the most is not there")
        self.assertEqual(ended.returncode, FAIL, "what was found was found")
        shutil.rmtree(self.path("shard-1"))
        ended = self.merge("three", "shard-1", "shard-2", "shard-3")
        self.assertEqual(ended.returncode, USAGE)
        self.assertIn("'shard-1/trials.jsonl' cannot be read: No such file", ended.stderr)

    def resume(self, directory):
        ended = self.explore(*SPACE, *MANY, "--resume", directory)
        self.assertEqual(ended.returncode, FAIL, ended.stderr)
        return self.report(directory)["runs"]

    def cut_off(self):
        """As somebody leaves it behind who was killed while writing."""
        lines = self.read("whole", MEMORY).splitlines(True)
        os.mkdir(self.path("cut"))
        with open(self.path("cut", MEMORY), "w", encoding="utf-8") as file:
            file.write("".join(lines[:-9]) + lines[-9][:-20])
        self.assertEqual(self.resume("cut"), 9, "what is there is not played again")
        self.expect_the_same("cut")

    def interrupted(self):
        """By Ctrl-C, and when it goes on by kill -9."""
        third = len(self.trials("whole")) // 3
        process = self.begin(*SPACE, *MANY, "--report", "ended", stdout=-1, stderr=-1, text=True)
        self.wait_for_trials("ended", third)
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate()
        self.expect_nobody()
        self.assertEqual(process.returncode, FAIL, said)
        self.assertFalse(self.report("ended")["complete"])
        self.assertIn("FAIL", said)
        process = self.begin(*SPACE, *MANY, "--resume", "ended", stdout=-3, stderr=-3)
        self.wait_for_trials("ended", third * 2)
        process.kill()
        process.wait()
        self.expect_nobody()
        self.resume("ended")
        self.expect_the_same("ended")

    def of_another_exploration(self):
        for words in (("--seed", "2"), ("--depth", "1"), ("--strict",)):
            ended = self.explore(*SPACE, *words, "--resume", "whole")
            self.assertEqual(ended.returncode, USAGE)
            self.assertIn("is of another exploration", ended.stderr)
        ended = self.explore(*SPACE, "--resume", "whole", client=(QUICK, "keyed"))
        self.assertEqual(ended.returncode, USAGE)
        os.mkdir(self.path("other"))
        with open(self.path("other", MEMORY), "w", encoding="utf-8") as file:
            file.write('{"setup":{"client":"another"}}\n')
        ended = self.merge("mixed", "whole", "other")
        self.assertEqual(ended.returncode, USAGE)
        self.assertIn("are parts of different explorations", ended.stderr)

    def test_however_it_was_come_by(self):
        self.explore_whole()
        for how in (self.shards, self.a_shard_that_is_missing, self.cut_off, self.interrupted,
                    self.of_another_exploration):
            with self.subTest(how.__name__):
                how()
                self.expect_nobody()

    def test_random_walks(self):
        """So many runs and no more: then even walks at random are the same."""
        walks = ("--random", "--depth", "1", "--max", "90", "--seed", "7")
        alone = self.begin_quick(*walks, "-j", "1", "--report", "one")
        whole = self.begin(*walks, "-j", "2", "--report", "whole", stdout=subprocess.PIPE,
                           stderr=subprocess.PIPE, text=True)
        self.end(whole)
        self.end(alone)
        self.assertGreater(self.report("whole")["random"]["steps"], 10)
        self.assertGreaterEqual(self.report("whole")["runs"], 90, "or made short after that")
        self.expect_the_same("one")
        ended = self.explore("--random", "--depth", "1", client=(QUICK, "keyed"))
        self.assertEqual(ended.returncode, USAGE)
        self.assertIn("--random has no end", ended.stderr)

    def test_a_seed_of_many_digits(self):
        """JSON keeps fifteen of a number."""
        words = ("--max", "2", "--seed", "9223372036854775807")
        keyed = (QUICK, "keyed")
        ended = self.explore(*words, "--report", "whole", client=keyed)
        self.assertEqual(ended.returncode, INCONCLUSIVE, ended.stderr)
        ended = self.explore(*words, "--resume", "whole", client=keyed)
        self.assertEqual(ended.returncode, INCONCLUSIVE, ended.stderr)
        self.assertEqual(self.merge("merged", "whole").returncode, INCONCLUSIVE)


if __name__ == "__main__":
    unittest.main(verbosity=2)
