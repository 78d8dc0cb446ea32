"""psp-harness killed with SIGKILL at any moment, alone or together with its worlds: no process of it
lives on, and what it could not remove the next run does."""
import os
import random
import signal
import subprocess
import sys
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from harness_case import PATIENCE, PAYS, PSP_HARNESS, HarnessCase  # noqa: E402

ROUNDS = int(os.environ.get("ROUNDS", "50"))
LONGEST = 0.25  # seconds until it is killed

# Has a daemon that is deaf to signals, and never ends.
CLIENT = """#!/bin/sh
setsid sh -c 'trap "" TERM INT HUP; sleep 60; sleep 60' &
""" + PAYS + """
touch "$HOME/started"
sleep 60
"""


def children(pid):
    with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
        return list(map(int, file.read().split()))


class HarnessKilled(HarnessCase):
    def start(self, *options):
        harness = subprocess.Popen(
            [PSP_HARNESS, "run", *options, self.scenario("orders = 3"), "--", self.client],
            cwd=self.home, env=self.env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        self.addCleanup(harness.kill)
        return harness

    def wait_for_client(self):
        deadline = time.monotonic() + PATIENCE
        while not os.path.exists(os.path.join(self.home, "started")):
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.005)

    def kill(self, harness, with_worlds):
        """All at once: it is stopped while its worlds are looked up."""
        harness.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, harness.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        worlds = children(harness.pid) if with_worlds else []
        for world in worlds:
            os.kill(world, signal.SIGKILL)
        harness.kill()
        harness.wait(PATIENCE)

    def setUp(self):
        super().setUp()
        self.client = self.write("client", CLIENT)

    def test_it_leaves_nobody_at_whatever_moment(self):
        moments = random.Random(1)
        for number in range(ROUNDS):
            with self.subTest(number):
                harness = self.start()
                time.sleep(moments.uniform(0, LONGEST))
                self.kill(harness, with_worlds=number % 2 == 1)
                self.expect_nobody()
        for box in os.listdir(self.boxes):
            os.utime(os.path.join(self.boxes, box), (0, 0))  # no world may be about to mark it
        status, said = self.run_harness(self.scenario(""), "--", "sh", "-c", PAYS)
        self.assertEqual(status, 0, said)
        self.assertEqual(os.listdir(self.boxes), [])

    def test_only_what_nobody_owns_is_swept_away(self):
        failing = self.run_harness(self.scenario(""), "--", "false")[1]
        kept = os.listdir(self.boxes)
        self.assertEqual(len(kept), 1, failing)
        kept.append("psp-harness.unborn")
        os.mkdir(os.path.join(self.boxes, kept[1]))
        dead = self.start()
        self.wait_for_client()
        self.kill(dead, with_worlds=True)
        self.expect_nobody()
        orphaned = set(os.listdir(self.boxes)) - set(kept)
        self.assertEqual(len(orphaned), 1)
        os.unlink(os.path.join(self.home, "started"))
        alive = self.start()
        self.wait_for_client()
        living = set(os.listdir(self.boxes)) - set(kept)
        self.assertEqual(len(living), 1)
        self.assertNotEqual(living, orphaned)
        self.assertEqual(self.run_harness(self.scenario(""), "--", "sh", "-c", PAYS)[0], 0)
        self.assertEqual(set(os.listdir(self.boxes)), living | set(kept))
        alive.terminate()
        alive.wait(PATIENCE)
        self.assertEqual(sorted(os.listdir(self.boxes)), sorted(kept))
        self.expect_nobody()


if __name__ == "__main__":
    unittest.main()
