"""For tests of `psp-harness explore` and `merge`.

They take the sanitized psp-harness, or the quick one (QUICK_HARNESS) for what is about many worlds;
what they explore, `quick-client`, is always the quick one.
"""
import json
import os
import subprocess
import time

from harness_case import PATIENCE, PSP_HARNESS, HarnessCase

QUICK_DIR = os.environ["QUICK_DIR"]
QUICK = os.path.join(QUICK_DIR, "quick-client")
QUICK_HARNESS = os.path.join(QUICK_DIR, "psp-harness")
MEMORY = "trials.jsonl"

PASS, FAIL, USAGE, INCONCLUSIVE, ERROR = range(5)


class ExploreCase(HarnessCase):
    def setUp(self):
        super().setUp()
        # A pipeline that runs these tests may have shards of its own.
        for name in ("CI_NODE_INDEX", "CIRCLE_NODE_INDEX", "BUILDKITE_PARALLEL_JOB",
                     "JOB_COMPLETION_INDEX"):
            self.env.pop(name, None)

    def harness(self, *words, program=PSP_HARNESS):
        """What it said on stdout and on stderr, and its status."""
        return subprocess.run([program, *words], cwd=self.home, env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PATIENCE * 2, check=False)

    def explore(self, *words, client=(QUICK, "hasty"), program=PSP_HARNESS):
        ended = self.harness("explore", *words, "--", *client, program=program)
        self.expect_nobody()
        self.assertEqual(os.listdir(self.boxes), [], "nothing is left behind")
        return ended

    def begin(self, *words, client=(QUICK, "hasty"), program=PSP_HARNESS, **options):
        process = subprocess.Popen([program, "explore", *words, "--", *client], cwd=self.home,
                                   env=self.env, start_new_session=True, **options)
        self.addCleanup(lambda: process.poll() is None and process.kill())
        return process

    def wait_for_trials(self, directory, count):
        deadline = time.monotonic() + PATIENCE
        while len(self.trials(directory)) < count and time.monotonic() < deadline:
            time.sleep(0.005)
        self.assertGreaterEqual(len(self.trials(directory)), count)

    def path(self, *names):
        return os.path.join(self.home, *names)

    def read(self, *names):
        with open(self.path(*names), encoding="utf-8") as file:
            return file.read()

    def trials(self, directory):
        """The lines of its memory but the first, as far as they are written."""
        if not os.path.exists(self.path(directory, MEMORY)):
            return []
        return [line for line in self.read(directory, MEMORY).splitlines(True)[1:]
                if line.endswith("\n")]

    def report(self, directory):
        return json.loads(self.read(directory, "explore.json"))

    def regressions(self, directory):
        """The scenario files of what was found: name and text."""
        return {name: self.read(directory, name) for name in os.listdir(self.path(directory))
                if name.startswith("r_")}
