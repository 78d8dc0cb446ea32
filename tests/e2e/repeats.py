"""The same seed, the same scenario, the same client: the same canonical history, byte by byte.

The first history is one of the sanitized programs, the others are of the quick ones. ROUNDS says how
many others there are of those clients that need no second; left out, 16.
"""
import collections
import concurrent.futures
import difflib
import json
import os
import subprocess
import tempfile
import unittest

SOURCE = os.environ["SOURCE_DIR"]
BUILD, QUICK_PROGRAMS = os.environ["BUILD_DIR"], os.environ["QUICK_DIR"]
CLIENTS = os.path.join(SOURCE, "scenarios", "clients")
ROUNDS = int(os.environ.get("ROUNDS", "16"))

# Scenarios of which a client in C needs no second, so that a hundred runs do not take an hour.
QUICK = ("b10_response_dropped_after_commit", "b30_reset_after_commit", "c20_error_after_commit",
         "e10_provider_killed_after_commit", "f10_worker_killed_before_response",
         "f20_worker_killed_after_response", "f30_job_runs_again_a_day_later")
LONGER = (*QUICK, "f80_worker_sleeps_through_a_restart", "g10_card_declined",
          "b20_request_dropped_before_commit", "c10_unavailable_storm",
          "c30_stored_error_after_commit", "c40_stored_error_before_commit",
          "d10_request_executes_late", "d20_answer_never_comes",
          "e20_provider_killed_before_commit")

AT_ONCE = 6

USAGE, ERROR = 2, 4


def play(directory, scenarios, client, *options, programs=BUILD):
    paths = [f"scenarios/{name}.lua" for name in scenarios]
    client = [word.replace("{programs}", programs) for word in client]
    return subprocess.run([f"{programs}/psp-harness", "run", "--history", directory, *options, *paths, "--",
                           *client], cwd=SOURCE, capture_output=True, text=True, check=False)


def histories(scenarios, client, *options, programs=BUILD):
    with tempfile.TemporaryDirectory() as directory:
        ended = play(directory, scenarios, client, *options, programs=programs)
        found = {}
        for name in os.listdir(directory):
            with open(os.path.join(directory, name), encoding="utf-8") as file:
                found[name.removesuffix(".jsonl")] = file.read()
    if set(found) != set(scenarios) or ended.returncode > 1:
        raise AssertionError(ended.stdout + ended.stderr)
    return found


class Repeats(unittest.TestCase):
    def expect_the_same(self, times, scenarios, client, *options):
        """One run alone, and TIMES more, several at once: nothing may differ."""
        first = histories(scenarios, client, "-j", "1", *options)
        counts = collections.Counter()
        # A run waits most of its time: for a provider that is down, for a client to try again.
        with concurrent.futures.ThreadPoolExecutor(max_workers=AT_ONCE) as pool:
            runs = [pool.submit(histories, scenarios, client, "-j", "8", *options,
                                programs=QUICK_PROGRAMS) for _ in range(times)]
        for run in runs:
            for name, text in run.result().items():
                counts[name] += 1
                if text == first[name]:
                    continue
                diff = difflib.unified_diff(first[name].splitlines(), text.splitlines(), n=2,
                                            lineterm="")
                self.fail(f"{name}, run {counts[name]}:\n" + "\n".join(diff))
        return first

    def test_many_runs_of_a_naive_client(self):
        self.expect_the_same(ROUNDS, QUICK, ["{programs}/client-naive-c"], "--orders", "2")

    def test_many_runs_of_a_careful_client(self):
        self.expect_the_same(ROUNDS, QUICK, ["{programs}/client-careful-c"])

    def test_clients_that_take_their_time(self):
        self.expect_the_same(2, LONGER, ["{programs}/client-careful-c"], "--orders", "3")
        self.expect_the_same(2, LONGER, [f"{CLIENTS}/naive.sh"], "--orders", "2")

    def test_clients_whose_keys_are_made_by_chance(self):
        first = self.expect_the_same(3, QUICK, ["/usr/bin/python3", f"{CLIENTS}/naive_plain.py"],
                                     "--orders", "2")
        self.assertIn("made_1", first["b10_response_dropped_after_commit"])

    def test_another_seed_is_another_history(self):
        client = ["{programs}/client-naive-c"]
        one = histories(QUICK[:1], client, "--seed", "1")
        two = histories(QUICK[:1], client, "--seed", "2")
        self.assertNotEqual(one, two)


class Files(unittest.TestCase):
    client = ["{programs}/client-naive-c"]

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = scratch.name

    def test_a_line_for_every_event(self):
        directory = os.path.join(self.scratch, "not", "there", "yet")
        ended = play(directory, ["a00_everything_works"], self.client)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        with open(f"{directory}/a00_everything_works.jsonl", encoding="utf-8") as file:
            events = [json.loads(line) for line in file]
        of_an_order = ["start", "invoke", "effect", "ok", "exit", "claim"]
        self.assertEqual([event["kind"] for event in events], ["up", *of_an_order * 3])
        for event in events:
            self.assertLessEqual(set(event), {"kind", "request", "order", "data"})

    def test_a_file_for_every_dialect(self):
        play(self.scratch, ["a00_everything_works"], self.client, "--dialect", "every")
        names = os.listdir(self.scratch)
        self.assertEqual(len(names), 12)
        self.assertIn("a00_everything_works.stripe.jsonl", names)

    def expect_refusal(self, directory, words, *scenarios):
        ended = play(directory, scenarios or ["a00_everything_works"], self.client)
        self.assertEqual(ended.returncode, USAGE, ended.stderr)
        self.assertIn(words, ended.stderr)
        self.assertEqual(ended.stdout, "", "nothing is played")

    def test_where_no_directory_can_be(self):
        path = os.path.join(self.scratch, "file")
        with open(path, "w", encoding="utf-8"):
            pass
        self.expect_refusal(path, "is no directory")
        self.expect_refusal(f"{path}/below", "cannot be made: Not a directory")

    def test_two_scenarios_of_one_name(self):
        self.expect_refusal(self.scratch, "would have the same file, a00_everything_works.jsonl",
                            "a00_everything_works", "../scenarios/a00_everything_works")

    def test_a_file_that_cannot_be_written(self):
        os.mkdir(f"{self.scratch}/a00_everything_works.jsonl")
        ended = play(self.scratch, ["a00_everything_works"], self.client)
        self.assertEqual(ended.returncode, ERROR)
        self.assertIn("cannot be written: Is a directory", ended.stderr)
        self.assertIn("1 scenario: 1 passed", ended.stdout, "what was found is told all the same")

    def test_a_disk_that_is_full(self):
        os.symlink("/dev/full", f"{self.scratch}/a00_everything_works.jsonl")
        ended = play(self.scratch, ["a00_everything_works"], self.client)
        self.assertEqual(ended.returncode, ERROR)
        self.assertIn("cannot be written: No space left on device", ended.stderr)
        self.assertEqual(os.listdir(self.scratch), [], "half a history is none")


if __name__ == "__main__":
    unittest.main(verbosity=2)
