"""psp-harness as a process: what it prints, and that nothing of it is left behind however it ends."""
import json
import os
import shlex
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

PSP_HARNESS = os.environ["PSP_HARNESS"]
SOURCE_DIR = os.environ["SOURCE_DIR"]
PATIENCE = 60  # seconds; for what is sure to come

# Says who it and its child are, and never ends. The child leaves the group, as daemons do.
HANGING_CLIENT = """#!/bin/sh
setsid sleep 1000 &
daemon=$!
sleep 1000 &
echo $$ $daemon $! > "$PIDS.new" && mv "$PIDS.new" "$PIDS"
wait
"""


PAUSED = "faults = { { at = 'received', act = pause_client('10m') } }"


def wait_until(condition, what):
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        if condition():
            return
        time.sleep(0.005)
    raise AssertionError(f"never happened: {what}")


def state(pid):
    """As /proc has it; X for who is not there."""
    try:
        with open(f"/proc/{pid}/stat", encoding="ascii", errors="replace") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return "X"


def is_alive(pid):
    return state(pid) not in "ZX"


def children(pid):
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as stat:
                parent = stat.read().rsplit(")", 1)[1].split()[1]
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(parent) == pid:
            found.append(int(name))
    return found


class HarnessTest(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="psp-test.")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.boxes = os.path.join(self.home, "boxes")
        os.mkdir(self.boxes)
        self.pids = os.path.join(self.home, "pids")
        self.env = dict(os.environ, TMPDIR=self.boxes, PIDS=self.pids)

    def write(self, name, text):
        path = os.path.join(self.home, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def scenario(self, name, fields):
        return self.write(name, "return scenario {\n" + fields + "\n}\n")

    def run_harness(self, *args):
        return subprocess.run([PSP_HARNESS, "run", *args], cwd=SOURCE_DIR, env=self.env,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PATIENCE * 2, check=False)

    def hang(self, *options, fields="title = 'plain'", script=HANGING_CLIENT):
        """A run whose client hangs: the harness, its worker, and the client's three processes, one of
        them a daemon."""
        client = self.write("client.sh", script)
        scenario = self.scenario("plain.lua", fields)
        harness = subprocess.Popen([PSP_HARNESS, "run", *options, scenario, "--", client],
                                   cwd=SOURCE_DIR, env=self.env, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(harness.stdout.close)
        self.addCleanup(harness.stderr.close)
        self.addCleanup(harness.kill)
        wait_until(lambda: os.path.exists(self.pids), "the client starts")
        with open(self.pids, encoding="ascii") as file:
            client = list(map(int, file.read().split()))
        worker = children(harness.pid)[0]
        self.assertTrue(all(map(is_alive, client)))
        return harness, worker, client

    def boxes_left(self):
        return os.listdir(self.boxes)


class Ends(HarnessTest):
    def test_an_interrupt_takes_everything_down(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                harness, worker, client = self.hang()
                provider = [pid for pid in children(worker) if pid not in client]
                harness.send_signal(number)
                self.assertEqual(harness.wait(PATIENCE), -number)
                for pid in (worker, *client, *provider):
                    wait_until(lambda pid=pid: not is_alive(pid), f"{pid} ends")
                self.assertEqual(self.boxes_left(), [])
                os.unlink(self.pids)

    def test_an_interrupt_takes_down_who_is_stopped(self):
        harness, worker, client = self.hang(fields=PAUSED, script=HANGING_CLIENT.replace(
            "wait\n", 'curl -s -u "$PSP_API_KEY:" "$PSP_URL/v1/charges"\n'))
        wait_until(lambda: state(client[1]) == "T", "the client is stopped")
        harness.send_signal(signal.SIGTERM)
        self.assertEqual(harness.wait(PATIENCE), -signal.SIGTERM)
        for pid in (worker, *client):
            wait_until(lambda pid=pid: not is_alive(pid), f"{pid} ends")
        self.assertEqual(self.boxes_left(), [])

    def test_a_killed_harness_takes_its_worlds_with_it(self):
        harness, worker, client = self.hang()
        harness.kill()
        harness.wait(PATIENCE)
        for pid in (worker, *client):
            wait_until(lambda pid=pid: not is_alive(pid), f"{pid} ends")
        wait_until(lambda: not self.boxes_left(), "the box is removed")

    def test_a_killed_worker_is_the_harness_s_own_failure(self):
        harness, worker, client = self.hang()
        os.kill(worker, signal.SIGKILL)
        out, _ = harness.communicate(timeout=PATIENCE)
        self.assertEqual(harness.returncode, 4, out)
        self.assertIn("died of signal 9", out)
        self.assertEqual(len(self.boxes_left()), 1)
        self.assertIn(os.path.join(self.boxes, self.boxes_left()[0]), out, "its box is named")
        for pid in client:
            wait_until(lambda pid=pid: not is_alive(pid), f"{pid} ends")

    def test_a_provider_that_dies_by_itself_is_no_verdict(self):
        harness, worker, client = self.hang()
        for pid in children(worker):
            if pid not in client:
                os.kill(pid, signal.SIGKILL)
        out, _ = harness.communicate(timeout=PATIENCE)
        self.assertEqual(harness.returncode, 4, out)
        self.assertIn("the provider died by itself", out)
        self.assertEqual(len(self.boxes_left()), 1)

    def test_a_timeout_says_what_was_waited_for(self):
        client = self.write("client.sh", HANGING_CLIENT)
        scenario = self.scenario("plain.lua", "title = 'plain'")
        done = self.run_harness("--timeout", "300ms", scenario, "--", client)
        self.assertEqual(done.returncode, 3, done.stdout)
        self.assertIn("timed out after 300ms: order_1's client (run 1) has not ended, "
                      "and it never called the provider", done.stdout)
        with open(self.pids, encoding="ascii") as file:
            for pid in map(int, file.read().split()):
                wait_until(lambda pid=pid: not is_alive(pid), f"{pid} ends")


class Descriptors(HarnessTest):
    def limited(self, soft, hard, *args):
        """A run under `ulimit -n`."""
        limit = f'ulimit -Sn {soft} && ulimit -Hn {hard} && exec "$0" run "$@"'
        return subprocess.run(["bash", "-c", limit, PSP_HARNESS, *args], cwd=SOURCE_DIR,
                              env=self.env, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, timeout=PATIENCE * 2, check=False)

    def test_too_few_are_the_harness_s_own_failure_and_said(self):
        fine = self.scenario("fine.lua", "title = 'fine'")
        done = self.limited(8, 8, fine, "--", "scenarios/clients/careful.sh")
        self.assertEqual(done.returncode, 4, done.stderr)
        self.assertIn("only 8 files may be open at once", done.stderr)
        self.assertNotIn("check", done.stderr.lower())
        self.assertEqual(self.boxes_left(), [])

    def test_as_many_as_allowed_are_used_but_a_client_keeps_its_limit(self):
        client = self.write("client.sh", """#!/bin/sh
            ulimit -Sn > "$PIDS"
            exec scenarios/clients/careful.sh
        """)
        fine = self.scenario("fine.lua", "title = 'fine'")
        done = self.limited(20, 1000, fine, "--", client)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(self.pids, encoding="ascii") as file:
            self.assertEqual(file.read(), "20\n")


class Prints(HarnessTest):
    careful = "scenarios/clients/careful.sh"
    naive = "scenarios/clients/naive.sh"

    def test_lines_come_in_the_order_of_the_scenarios(self):
        slow = self.scenario("1_slow.lua", "title = 'slow', orders = 3, faults = "
                             "{ { on = 'POST *', at = 'received', act = delay('300ms') } }")
        fast = self.scenario("2_fast.lua", "title = 'fast'")
        done = self.run_harness("-j", "2", fast, slow, fast, "--", self.careful)
        self.assertEqual(done.returncode, 0, done.stdout)
        words = [line.split()[1] for line in done.stdout.splitlines() if line.startswith("pass")]
        self.assertEqual(words, ["2_fast", "1_slow", "2_fast"])
        self.assertEqual(self.boxes_left(), [])

    def test_every_failure_prints_the_command_that_replays_it(self):
        lost = self.scenario("it's lost.lua", "orders = 2, faults = { { on = 'POST *', attempt = 1, "
                             "order = 'order_2', at = 'after_commit', act = drop() } }")
        first = self.run_harness("--seed", "7", lost, "--", "env", "UNUSED=a b", self.naive)
        self.assertEqual(first.returncode, 1, first.stdout)
        self.assertIn("the story of order_2", first.stdout)
        self.assertNotIn("the story of order_1", first.stdout)
        command = [line.split("replay:", 1)[1] for line in first.stdout.splitlines()
                   if "replay:" in line][0]
        words = shlex.split(command)
        self.assertEqual(words[0], PSP_HARNESS)
        again = subprocess.run(words, cwd=SOURCE_DIR, env=self.env, capture_output=True, text=True,
                               timeout=PATIENCE * 2, check=False)
        self.assertEqual(again.returncode, 1)
        reason = [line for line in first.stdout.splitlines() if "charged_once: order_2" in line]
        self.assertEqual(len(reason), 1)
        self.assertIn(reason[0], again.stdout, "the same charges, by the same ids")

    def test_a_document_says_the_same_as_the_text(self):
        lost = self.scenario("lost.lua", "title = 'lost', faults = { { on = 'POST *', attempt = 1, "
                             "at = 'after_commit', act = drop() } }")
        fine = self.scenario("fine.lua", "title = 'fine'")
        done = self.run_harness("--format", "json", fine, lost, "--", self.naive)
        self.assertEqual(done.returncode, 1, done.stderr)
        document = json.loads(done.stdout)
        self.assertEqual(document["seed"], 1)
        self.assertEqual(document["totals"]["scenarios"], 2)
        self.assertEqual(document["totals"]["pass"], 1)
        self.assertEqual(document["totals"]["fail"], 1)
        good, bad = document["scenarios"]
        self.assertEqual((good["title"], good["verdict"]), ("fine", "pass"))
        self.assertNotIn("history", good)
        self.assertEqual((bad["title"], bad["verdict"]), ("lost", "fail"))
        self.assertEqual(len(bad["charges"]), 2)
        self.assertEqual(bad["claims"], [{"order": "order_1", "outcome": "succeeded"}])
        results = {one["invariant"]: one["result"] for one in bad["invariants"]}
        self.assertEqual(results["charged_once"], "violated")
        self.assertEqual(results["settles"], "holds")
        with open(os.path.join(bad["box"], "history.jsonl"), encoding="utf-8") as file:
            self.assertEqual([json.loads(line) for line in file], bad["history"])

    def test_verdicts_do_not_depend_on_how_many_run_at_once(self):
        seen = []
        for jobs in ("1", "4"):
            done = self.run_harness("-j", jobs, "--format", "json", "scenarios/a00_everything_works.lua",
                                    "scenarios/b10_response_dropped_after_commit.lua",
                                    "scenarios/g10_card_declined.lua", "--", self.naive)
            seen.append([(one["verdict"], one["charges"])
                         for one in json.loads(done.stdout)["scenarios"]])
        self.assertEqual(seen[0], seen[1])

    def test_every_broken_scenario_is_named_before_anything_runs(self):
        one = self.write("one.lua", "return scenario { title = }\n")
        two = self.scenario("two.lua", "faults = { { at = 'nowhere', act = drop() } }")
        fine = self.scenario("fine.lua", "title = 'fine'")
        done = self.run_harness(one, fine, two, "--", self.careful)
        self.assertEqual(done.returncode, 2)
        self.assertIn("one.lua:1:", done.stderr)
        self.assertIn("two.lua:", done.stderr)
        self.assertEqual(done.stdout, "")

    def test_a_missing_client_is_inconclusive_and_said(self):
        fine = self.scenario("fine.lua", "title = 'fine'")
        done = self.run_harness(fine, "--", "no-such-client-anywhere")
        self.assertEqual(done.returncode, 3)
        self.assertIn("'no-such-client-anywhere' is not in PATH", done.stdout)

    def test_what_is_the_same_everywhere_is_told_once(self):
        done = self.run_harness("scenarios", "--", "no-such-client-anywhere")
        self.assertEqual(done.returncode, 3)
        self.assertEqual(done.stdout.count("is not in PATH"), 1)

    def test_a_client_that_talks_without_end_is_heard_to_its_end(self):
        client = self.write("client.sh", "#!/bin/sh\n" + """
            yes "$(head -c 3000 /dev/zero | tr '\\0' x)\u20ac" | head -n 20000
            exec scenarios/clients/careful.sh
        """)
        fine = self.scenario("fine.lua", "title = 'fine', orders = 3")
        done = self.run_harness("--format", "json", "--keep", fine, "--", client)
        self.assertEqual(done.returncode, 0, done.stdout[-2000:])
        with open(os.path.join(json.loads(done.stdout)["scenarios"][0]["box"], "history.jsonl"),
                  encoding="utf-8") as file:
            claims = [event for event in map(json.loads, file) if event["kind"] == "claim"]
        self.assertEqual([claim["data"]["by"] for claim in claims], ["line"] * 3)

    def test_usage_errors_name_the_remedy(self):
        for args, words in ((["run", "--sed", "1"], "did you mean --seed?"),
                            (["rnu"], "did you mean run?"),
                            (["explode"], "did you mean explore?"),
                            (["run", "scenarios"], "write its command after --"),
                            (["list", "--x"], "list takes")):
            with self.subTest(args):
                done = subprocess.run([PSP_HARNESS, *args], cwd=SOURCE_DIR, capture_output=True,
                                      text=True, timeout=PATIENCE, check=False)
                self.assertEqual(done.returncode, 2)
                self.assertIn(words, done.stderr)
                self.assertEqual(done.stdout, "")

    def test_a_closed_standard_output_is_said(self):
        for closed in ("1>&-", "0<&- 1>&-"):
            ended = subprocess.run(["sh", "-c", f'exec {closed}; exec "$@"', "sh", PSP_HARNESS,
                                    "run", os.path.join(SOURCE_DIR, "scenarios",
                                                        "a00_everything_works.lua"), "--", "true"],
                                   stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False)
            self.assertEqual(ended.returncode, 4, ended.stderr)
            self.assertIn("standard output cannot be written", ended.stderr)

    def test_help_and_version_go_to_stdout(self):
        for args, words in ((["--help"], "usage: psp-harness"), (["--version"], "psp-harness "),
                            (["run", "--help"], "STATE_DIR"), (["list"], "after_commit")):
            with self.subTest(args):
                done = subprocess.run([PSP_HARNESS, *args], cwd=SOURCE_DIR, capture_output=True,
                                      text=True, timeout=PATIENCE, check=False)
                self.assertEqual(done.returncode, 0)
                self.assertIn(words, done.stdout)
                self.assertEqual(done.stderr, "")


if __name__ == "__main__":
    unittest.main()
