"""The life of an exploration: its limits, what it cannot explore, and how it ends early."""
import fcntl
import json
import os
import pty
import re
import shutil
import signal
import subprocess
import sys
import termios
import unittest
import xml.etree.ElementTree
from html.parser import HTMLParser

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from explore_case import (  # noqa: E402
    ERROR, FAIL, INCONCLUSIVE, MEMORY, PASS, PSP_HARNESS, QUICK, USAGE, ExploreCase)

KEYED = (QUICK, "keyed")
ONE = ("--depth", "1", "-j", "4")


class Tags(HTMLParser):
    """Those that are open."""

    def __init__(self):
        super().__init__()
        self.open = []
        self.cells = 0

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)
        self.cells += tag == "td"

    def handle_endtag(self, tag):
        assert self.open.pop() == tag, tag


class Limits(ExploreCase):
    def test_so_many_runs_and_no_more(self):
        ended = self.explore(*ONE, "--max", "7", "--report", "out", client=KEYED)
        self.assertEqual(ended.returncode, INCONCLUSIVE, ended.stderr)
        self.assertEqual(self.report("out")["runs"], 7)
        self.assertEqual(len(self.trials("out")), 7)
        self.assertIn("the space was not explored in full to depth 1", ended.stdout)
        self.assertIn("7 runs", ended.stdout)

    def test_so_long_and_no_longer(self):
        ended = self.explore(*ONE, "--budget", "1ms", "--report", "out", client=KEYED)
        self.assertEqual(ended.returncode, INCONCLUSIVE, ended.stderr)
        self.assertLess(self.report("out")["runs"], 10)

    def test_so_much_is_enough(self):
        some = (*ONE, "--max", "12", "--report", "out")
        self.assertEqual(self.explore(*some, client=KEYED).returncode, INCONCLUSIVE)
        percent = self.report("out")["coverage_percent"]
        self.assertTrue(5 < percent < 60, percent)
        merge = ("merge", "out", "--require-coverage")
        self.assertEqual(self.harness(*merge, str(percent)).returncode, PASS)
        ended = self.harness(*merge, str(percent + 1))
        self.assertEqual(ended.returncode, INCONCLUSIVE)
        self.assertIn(f"{percent} percent of the space was tried, and {percent + 1} are required",
                      ended.stdout)
        ended = self.explore(*ONE, "--max", "1", "--resume", "out", "--require-coverage",
                             str(percent), client=KEYED)
        self.assertEqual(ended.returncode, PASS, ended.stdout)


class Unsound(ExploreCase):
    """Clients that cannot be explored."""

    def expect_nothing_to_explore(self, client, words, status=INCONCLUSIVE):
        ended = self.explore(*ONE, "--report", "out", client=client)
        self.assertEqual(ended.returncode, status, ended.stdout + ended.stderr)
        self.assertRegex(ended.stdout + ended.stderr, words)
        return ended

    def test_a_client_that_is_not_there(self):
        self.expect_nothing_to_explore(["./nobody"], "nobody")

    def test_a_client_that_never_calls(self):
        self.expect_nothing_to_explore(["/bin/true"], "the run in which nothing goes wrong")
        self.assertEqual(self.report("out")["findings"], [])

    def test_a_client_that_breaks_without_a_fault(self):
        client = self.write("twice.sh", f'#!/bin/sh\n"{QUICK}" keyless && "{QUICK}" keyless\n')
        self.expect_nothing_to_explore([client], "nothing goes wrong", FAIL)
        self.assertEqual(self.report("out")["findings"][0]["invariant"], "charged_once")

    def test_a_client_that_wanders(self):
        """It asks for a list, or it does not."""
        asks = 'curl -s -o /dev/null -u "$PSP_API_KEY:" "$PSP_URL/v1/payment_intents"'
        client = self.write("wanders.sh", f"""#!/bin/sh
            turn=$(cat {self.home}/turn 2>/dev/null || echo 0)
            echo $((turn + 1)) >{self.home}/turn
            [ $((turn % 2)) = 0 ] || {asks}
            exec "{QUICK}" keyed
            """)
        ended = self.explore("--depth", "1", "-j", "1", "--max", "6", "--report", "out",
                             client=[client])
        self.assertRegex(ended.stdout, r"the client wanders: 1 of \d schedules")
        self.assertIn("nothing goes wrong: event", ended.stdout)
        self.assertIn("GET", self.report("out")["trust"]["wanders"], "what differed is named")

    def test_no_client_at_all(self):
        ended = self.harness("explore", "--depth", "1")
        self.assertEqual(ended.returncode, USAGE)
        ended = self.harness("explore", "scenario.lua", "--", QUICK)
        self.assertEqual(ended.returncode, USAGE)
        self.assertIn("explore makes its schedules by itself", ended.stderr)


class Files(ExploreCase):
    def test_are_valid(self):
        ended = self.explore(*ONE, "--format", "json", "--report", "out")
        self.assertEqual(ended.returncode, FAIL, ended.stderr)
        self.assertEqual(json.loads(ended.stdout), self.report("out"))
        suite = xml.etree.ElementTree.parse(self.path("out", "junit.xml")).getroot()
        names = [case.get("name") for case in suite.iter("testcase")]
        self.assertEqual(len(set(names)), len(names))
        self.assertEqual(len(names), len(self.report("out")["findings"]) + 1)
        failures = list(suite.iter("failure"))
        self.assertEqual(len(failures), len(names) - 1)
        self.assertIn("<== charged_once", failures[0].text)
        page = Tags()
        page.feed(self.read("out", "explore.html"))
        page.close()
        self.assertEqual(page.open, [])
        self.assertGreater(page.cells, 30)

    def test_two_explorations_in_one_directory(self):
        process = self.begin(*ONE, "--report", "out", stdout=subprocess.DEVNULL)
        self.wait_for_trials("out", 1)
        for words in (("--report", "out"), ("--resume", "out")):
            ended = self.harness("explore", *ONE, *words, "--", QUICK, "hasty")
            self.assertEqual(ended.returncode, USAGE)
            self.assertIn("'out/trials.jsonl' is in use by another exploration", ended.stderr)
        self.assertEqual(process.wait(), FAIL)
        self.assertTrue(self.report("out")["complete"])

    def test_a_disk_that_is_full(self):
        os.mkdir(self.path("out"))
        os.symlink("/dev/full", self.path("out", MEMORY))
        ended = self.explore(*ONE, "--report", "out")
        self.assertEqual(ended.returncode, ERROR, ended.stdout + ended.stderr)
        self.assertIn("'out/trials.jsonl' cannot be written", ended.stderr)
        os.unlink(self.path("out", MEMORY))
        os.symlink("/dev/full", self.path("out", "explore.json"))
        ended = self.explore(*ONE, "--max", "1", "--report", "out")
        self.assertEqual(ended.returncode, ERROR, ended.stdout + ended.stderr)
        self.assertIn("No space left on device", ended.stderr)

    def test_where_no_directory_can_be(self):
        self.write("file", "")
        for directory, words in (("file", "is no directory"), ("file/out", "Not a directory"),
                                 ("/proc/out", "cannot be made")):
            ended = self.explore(*ONE, "--report", directory)
            self.assertEqual(ended.returncode, USAGE)
            self.assertIn(words, ended.stderr)

    def test_a_memory_that_is_none(self):
        os.mkdir(self.path("out"))
        for text in ("nothing\n", '{"setup":1}\nnothing\n', "[]\n", "\0\0\n"):
            self.write(f"out/{MEMORY}", text)
            for words in (("explore", *ONE, "--resume", "out", "--", *KEYED), ("merge", "out")):
                ended = self.harness(*words)
                self.assertEqual(ended.returncode, USAGE, ended.stdout)
                self.assertIn(f"'out/{MEMORY}' is no memory of an exploration", ended.stderr)
            self.assertEqual(self.read("out", MEMORY), text, "it is not touched")
        shutil.rmtree(self.path("out"))
        ended = self.harness("merge")
        self.assertEqual(ended.returncode, USAGE)
        self.assertIn("nothing to merge", ended.stderr)


class Ends(ExploreCase):
    def test_ctrl_c_before_anything_is_found(self):
        process = self.begin(*ONE, "--report", "out", client=KEYED, stdout=-1, stderr=-1,
                             text=True)
        self.wait_for_trials("out", 4)
        os.killpg(process.pid, signal.SIGINT)
        said, _ = process.communicate()
        self.expect_nobody()
        self.assertEqual(process.returncode, INCONCLUSIVE, said)
        self.assertEqual(os.listdir(self.boxes), [])
        self.assertIn("interrupted: what is here was tried, the rest was not", said)
        report = self.report("out")
        self.assertEqual(report["verdict"], "inconclusive")
        self.assertFalse(report["complete"])
        xml.etree.ElementTree.parse(self.path("out", "junit.xml"))

    def test_on_a_terminal(self):
        """A line that is written again and again, and Ctrl-C as a person presses it."""
        ours, theirs = pty.openpty()

        def take_terminal():
            fcntl.ioctl(theirs, termios.TIOCSCTTY, 0)

        self.env["TERM"] = "xterm"
        process = subprocess.Popen([PSP_HARNESS, "explore", *ONE, "--budget", "300s", "--report",
                                    "out", "--", *KEYED], cwd=self.home, env=self.env,
                                   stdin=theirs, stdout=theirs, stderr=theirs,
                                   start_new_session=True, preexec_fn=take_terminal)
        os.close(theirs)
        self.wait_for_trials("out", 3)
        os.write(ours, b"\x03")
        said = b""
        try:
            while piece := os.read(ours, 65536):
                said += piece
        except OSError:
            pass  # the last one has closed it
        os.close(ours)
        said = said.decode()
        self.assertEqual(process.wait(), INCONCLUSIVE, said)
        self.assertRegex(said, r"\r\x1b\[K\d+/\d+ +.*depth 1, 0 found, \d+ s left")
        self.assertRegex(said, r"\r\x1b\[Kthe space, to depth 1\r\n", "it is gone at the end")
        self.expect_nobody()

    def test_quiet_in_a_pipe(self):
        ended = self.explore(*ONE, "--max", "5", client=KEYED)
        self.assertEqual(ended.stderr, "")
        self.assertFalse(re.search(r"[\r\x1b]", ended.stdout))


if __name__ == "__main__":
    unittest.main(verbosity=2)
