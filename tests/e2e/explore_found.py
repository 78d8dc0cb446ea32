"""What explore finds, as a regression file: it fails as long as the mistake is there."""
import os
import re
import shlex
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from explore_case import (  # noqa: E402
    FAIL, INCONCLUSIVE, PASS, QUICK, QUICK_DIR, QUICK_HARNESS, ExploreCase)
from harness_case import SOURCE_DIR  # noqa: E402

CAREFUL = os.path.join(QUICK_DIR, "client-careful-c")
TIMES = 20  # as often as it has to fail

# Repaired, it does not come to the second request of a schedule that was found.
TWICE = """#!/bin/sh
"$QUICK" $1 || exit $?
[ $1 = keyless ] && "$QUICK" $1
exit 0
"""


class Found(ExploreCase):
    def setUp(self):
        super().setUp()
        self.env["QUICK"] = QUICK

    def play(self, files, *client, times=1):
        """Copies of FILES, each a scenario of its own: how many ended in which way."""
        copies = []
        for file in files:
            for turn in range(times):
                text = self.read(file)
                copies.append(self.write(f"{turn}_{os.path.basename(file)}", text, 0o644))
        ended = self.harness("run", "-j", "8", *copies, "--", *client, program=QUICK_HARNESS)
        status, said = ended.returncode, ended.stdout + ended.stderr
        summary = said.splitlines()[-1]
        counts = dict((word, int(number)) for number, word in
                      re.findall(r"(\d+) (passed|failed|inconclusive)", summary))
        return status, counts, said

    def files(self, directory):
        return [f"{directory}/{name}" for name in sorted(self.regressions(directory))]

    def test_fails_until_it_is_repaired(self):
        ended = self.explore("--depth", "1", "--report", "out", client=(QUICK, "keyless"),
                             program=QUICK_HARNESS)
        self.assertEqual(ended.returncode, FAIL, ended.stderr)
        files = self.files("out")
        self.assertGreaterEqual(len(files), 3)
        for finding in self.report("out")["findings"]:
            self.assertEqual([finding["confirmed"], finding["asked"]], [3, 3], finding["name"])
            self.assertIn(finding["name"], ended.stdout)
        status, counts, said = self.play(files, QUICK, "keyless", times=TIMES)
        self.assertEqual(status, FAIL, said)
        self.assertEqual(counts, {"failed": TIMES * len(files)}, said)
        status, counts, said = self.play(files, CAREFUL)
        self.assertEqual(counts, {"passed": len(files)}, said)
        self.assertEqual(status, PASS, said)

    def test_is_told_as_in_the_readme(self):
        """All but the counts, which grow with every move, and what takes its time."""
        def lines(text):
            text = text.replace(f"{QUICK_DIR}/", "build/")
            return re.sub(r"\d+ (schedules|ways|runs, \d+\.\d s)", "some", text).splitlines()

        ended = self.explore("--depth", "1", client=[f"{QUICK_DIR}/client-naive-c"],
                             program=QUICK_HARNESS)
        with open(f"{SOURCE_DIR}/README.md", encoding="utf-8") as file:
            example = re.search(r"^\$ build/psp-harness explore .*\n((?:.*\n)+?)```", file.read(),
                                re.MULTILINE).group(1)
        said = lines(ended.stdout)
        self.assertGreater(len(lines(example)), 20)
        for line in lines(example):
            if line != "…":
                self.assertIn(line, said)

    def test_is_played_as_it_says(self):
        self.explore("--depth", "1", "--max", "40", "--report", "out", client=(QUICK, "hasty"))
        file = self.files("out")[0]
        line = re.search(r"^-- Play it: psp-harness (.*)$", self.read(file), re.MULTILINE).group(1)
        words = shlex.split(line)
        words = [f"out/{word}" if word.endswith(".lua") else word for word in words]
        ended = self.harness(*words)
        self.assertEqual(ended.returncode, FAIL, ended.stdout + ended.stderr)
        finding = self.report("out")["findings"][0]
        self.assertIn(finding["invariant"], ended.stdout)

    def test_has_a_story_and_commands(self):
        self.explore("--depth", "1", "--max", "40", "--report", "out", client=(QUICK, "keyless"))
        text = self.read("out", [name for name in self.regressions("out")
                                 if "lost after the commit" in self.read("out", name)][0])
        self.assertRegex(text, r"-- Breaks charged_once: ")
        self.assertRegex(text, r"-- Cause: no idempotency key")
        self.assertRegex(text, r"--.*FAULT at after_commit: drop")
        self.assertEqual(len(re.findall(r"^-- curl -sS ", text, re.MULTILINE)), 2)
        self.assertNotIn("127.0.0.1", text, "a port is of one run alone")

    def test_passes_when_the_client_need_not_come_there(self):
        client = self.write("twice.sh", TWICE)
        file = self.write("r_two.lua", """return scenario {
            orders = 1,
            faults = {
                { on = "POST /v1/payment_intents", attempt = 1, at = "before_commit",
                  act = respond(500) },
                { on = "POST /v1/payment_intents", attempt = 3, at = "responding",
                  act = drop(), optional = true },
            },
        }""", 0o644)
        self.assertEqual(self.play([file], client, "keyless")[0], FAIL)
        self.assertEqual(self.play([file], client, "keyed")[0], PASS)
        with open(file, encoding="utf-8") as text:
            needed = text.read().replace(", optional = true", "")
        file = self.write("r_needed.lua", needed, 0o644)
        self.assertEqual(self.play([file], client, "keyed")[0], INCONCLUSIVE)


if __name__ == "__main__":
    unittest.main(verbosity=2)
