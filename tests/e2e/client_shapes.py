"""Clients that are a batch, have workers, or want something prepared (`--client FILE.lua`)."""
import os
import re
import subprocess
import time
import unittest

from client_file import CLIENTS, PATIENCE, PAY, PSP_HARNESS, ClientFileTest
from client_service import SHOP, TALK

SCENARIOS = os.path.join(CLIENTS, "..")

# Puts the order into a folder, as into a queue.
ENQUEUE = "#!/bin/sh\necho \"$ORDER_AMOUNT\" > \"$STATE_DIR/$ORDER_ID.todo\"\n"

# Takes orders out of the folder for ever.
WORKER = """#!/bin/sh
while :; do
    for todo in "$STATE_DIR"/*.todo; do
        [ -f "$todo" ] || continue
        order=$(basename "$todo" .todo)
        curl -sS -m 5 -u "$PSP_API_KEY:" -H "Idempotency-Key: $order" -d amount="$(cat "$todo")" \
            -d currency=usd -d payment_method=pm_card_visa -d confirm=true \
            -d "metadata[order_id]=$order" -f "$PSP_URL/v1/payment_intents" >/dev/null &&
            mv "$todo" "$STATE_DIR/$order.paid"
    done
    sleep 0.02
done
"""

CLAIM = """
  claim = function(order)
    local _, status = sh('test -f "$STATE_DIR/{order}.paid"')
    return status == 0 and "succeeded" or "unknown"
  end,
"""

CRASH = "faults = { { on = 'POST *', attempt = 1, at = 'responded', act = crash_client() } }"


class ShapesTest(ClientFileTest):
    def history(self):
        boxes = [name for name in os.listdir(self.boxes) if name.startswith("psp-harness.")]
        with open(os.path.join(self.boxes, boxes[0], "history.jsonl"), encoding="utf-8") as file:
            return file.read()

    def there(self):
        """Who works in the test's directory: the clients, while the harness lives the harness too."""
        found = []
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                if os.readlink(f"/proc/{name}/cwd").startswith(self.home):
                    found.append(name)
            except (FileNotFoundError, PermissionError, ProcessLookupError):
                pass
        return found

    def tearDown(self):
        self.assertEqual(self.there(), [], "processes are left behind")


class Batch(ShapesTest):
    def examples(self, kind):
        names = ["a00_everything_works", "b10_response_dropped_after_commit",
                 "f10_worker_killed_before_response", "f20_worker_killed_after_response"]
        return self.run_harness("--orders", "3", *(f"{SCENARIOS}/{name}.lua" for name in names),
                                "--client", os.path.join(CLIENTS, "batch", f"batch_{kind}.lua"))

    def test_the_examples(self):
        careful = self.examples("careful")
        self.assertEqual(careful.returncode, 0, careful.stdout)
        naive = self.examples("naive")
        self.assertEqual(naive.returncode, 1, naive.stdout)
        self.assertIn("cause: the key was lost in the crash", naive.stdout)

    def test_after_a_crash_the_unsettled_come_again(self):
        self.write("batch.sh", "#!/bin/sh\nwhile read -r line; do\n"
                   "ORDER_ID=$(echo \"$line\" | jq -r .order)\n"
                   "ORDER_AMOUNT=$(echo \"$line\" | jq -r .amount)\n"
                   "ORDER_CURRENCY=$(echo \"$line\" | jq -r .currency)\n"
                   "export ORDER_ID ORDER_AMOUNT ORDER_CURRENCY\n./pay.sh </dev/null >/dev/null &&"
                   "echo \"{\\\"order\\\":\\\"$ORDER_ID\\\",\\\"outcome\\\":\\\"succeeded\\\"}\"\n"
                   "done\n")
        self.write("pay.sh", PAY)
        status, out = self.play(
            self.client("batch = { './batch.sh' }"),
            "orders = 3, faults = { { on = 'POST *', order = 'order_2', attempt = 1,"
            "at = 'after_commit', act = crash_client() } }", "--keep")
        self.assertEqual(status, 0, out)
        starts = re.findall(r'"kind":"start".*?"order":"(order_\d)"', self.history())
        self.assertEqual(starts, ["order_1", "order_2", "order_3", "order_2", "order_3"])

    def test_it_says_nothing_or_too_much(self):
        status, out = self.play(self.client("batch = { 'true' }"))
        self.assertEqual(status, 3, out)
        self.assertIn("never called the provider for order_1; it ended with status 0", out)
        self.write("other.sh", "#!/bin/sh\necho '{\"order\":\"order_9\",\"outcome\":\"failed\"}'\n")
        status, out = self.play(self.client("batch = { './other.sh' }"))
        self.assertEqual(status, 3, out)
        self.assertIn("made a claim about 'order_9', which it was not given", out)


class Workers(ShapesTest):
    def setUp(self):
        super().setUp()
        self.write("enqueue.sh", ENQUEUE)
        self.write("worker.sh", WORKER)

    def queue(self, worker="'./worker.sh'"):
        return self.client("command = { './enqueue.sh' }, workers = { { " + worker + " } },\n"
                           "directory = '.', patience = '5s'," + CLAIM)

    def test_a_worker_pays_what_commands_enqueue(self):
        status, out = self.play(self.queue(), "orders = 2")
        self.assertEqual(status, 0, out)

    def test_the_last_try_waits_for_a_worker_that_stands_still(self):
        self.write("worker.sh", WORKER.replace("-m 5 ", "-m 60 "))
        status, out = self.play(
            self.queue().replace("'5s'", "'2s'"),
            "faults = { { on = 'POST *', attempt = 1, at = 'received', act = pause_client('5s') } }",
            "--restarts", "0")
        self.assertEqual(status, 0, out)

    def test_what_is_killed_is_the_worker_that_sent_the_request(self):
        status, out = self.play(self.queue(), CRASH, "--keep")
        self.assertEqual(status, 0, out)
        self.assertRegex(self.history(), r'"kind":"crash".*"process":"worker_1"')

    def test_a_batch_may_hand_its_orders_on(self):
        self.write("hand_on.sh", "#!/bin/sh\nwhile read -r line; do\n"
                   "echo \"$line\" | jq .amount > \"$STATE_DIR/$(echo \"$line\" | jq -r .order).todo\"\n"
                   "done\n")
        client = self.client("batch = { './hand_on.sh' }, workers = { { './worker.sh' } },\n"
                             "directory = '.', patience = '5s'," + CLAIM)
        status, out = self.play(client, "orders = 3, " + CRASH, "--keep")
        self.assertEqual(status, 0, out)
        history = self.history()
        self.assertRegex(history, r'"kind":"crash".*"process":"worker_1"')
        self.assertEqual(history.count('"by":"claim"'), 3)

    def test_a_worker_beside_a_service(self):
        self.write("shop.py", SHOP)
        status, out = self.play(self.client(
            "service = { 'python3', 'shop.py' }, workers = { { 'sleep', '0.05' } },\n"
            "directory = '.'," + TALK), CRASH, "--keep")
        self.assertEqual(status, 0, out)
        self.assertRegex(self.history(), r'"kind":"crash".*"process":"service"')

    def test_a_worker_that_is_told_to_end_while_the_service_pays(self):
        self.write("shop.py", SHOP)
        status, out = self.play(self.client(
            "service = { 'python3', 'shop.py' },\n"
            "workers = { { 'sleep', '999' }, { 'sleep', '1000' } }, directory = '.'," + TALK),
            CRASH.replace("crash_client()", "stop_client { whom = 'worker_2' }"), "--keep")
        self.assertEqual(status, 0, out)
        crashes = re.findall(r'"kind":"crash".*', self.history())
        self.assertEqual(len(crashes), 1)
        self.assertRegex(crashes[0], r'"process":"worker_2".*"signal":15')
        starts = re.findall(r'"kind":"start".*"process":"(\w+)"', self.history())
        self.assertEqual(sorted(starts), ["service", "submit", "worker_1", "worker_2", "worker_2"])

    def test_a_service_that_is_told_to_end_finishes_what_it_does(self):
        self.write("shop.py", SHOP)
        status, out = self.play(self.client(
            "service = { 'sh', '-c', 'trap true TERM; (trap \"\" TERM; python3 shop.py)' },\n"
            "directory = '.'," + TALK),
            CRASH.replace("crash_client()", "stop_client('500ms')"), "--keep")
        self.assertEqual(status, 1, out)
        self.assertIn("settles", out, "it knew that in its memory alone")
        history = self.history()
        self.assertRegex(history, r'"kind":"crash".*"signal":9,"why":"still there 500ms later"')
        self.assertEqual(history.count('"process":"submit","accepted":true'), 1, history)

    def test_a_worker_that_never_gets_anywhere(self):
        status, out = self.play(self.queue("'sh', '-c', 'echo no redis >&2; exit 4'"))
        self.assertEqual(status, 3, out)
        self.assertIn("worker_1 failed again and again, with status 4; it said: no redis", out)

    def test_mistakes(self):
        self.refused("return client { command = { 'x' }, workers = { 'x' } }",
                     "workers[1] is a list of text")
        self.refused("return client { command = { 'x' }, workers = {} }", "workers is a list of 1")
        self.refused("return client { command = { 'x' }, workers = { { 'x' } } }",
                     "who has workers needs claim")


class Queue(ShapesTest):
    LATE = ("faults = { { pays = true, attempt = 1, at = 'after_commit',"
            "act = { advance('2m'), delay('700ms') } } }")

    def test_a_command_whose_lock_expires_runs_twice_at_once(self):
        self.write("pay.sh", PAY)
        status, out = self.play(self.client(
            "command = { './pay.sh' }, queue = { visibility_timeout = '90s', tries = 2 }"),
            self.LATE, "--keep")
        self.assertEqual(status, 0, out)
        history = self.history()
        self.assertEqual(history.count('"kind":"start"'), 2)
        self.assertRegex(history, r'"kind":"job".*"what":"lock_expired","deliveries":1')

    def test_a_scenario_counts_for_more_field_by_field(self):
        self.write("fail.sh", "#!/bin/sh\necho \"attempt $JOB_ATTEMPT of $JOB_TRIES\"\n" +
                   PAY.replace("#!/bin/sh\n", "") + "\nexit 75\n")
        status, out = self.play(self.client(
            "command = { './fail.sh' }, queue = { tries = 2, backoff = '1h' }"),
            "queue = { backoff = '25h' }, faults = { storm { rate = 1, with = respond(503) } }",
            "--keep")
        history = self.history()
        self.assertEqual(re.findall(r'"text":"(attempt .*?)"', history),
                         ["attempt 1 of 2", "attempt 2 of 2", "attempt 1 of 2"], out + str(status))
        self.assertEqual(re.findall(r'"advanced":(\d+)', history), [str(25 * 3600 * 1000)])

    def test_a_service_is_given_the_order_again(self):
        self.write("shop.py", SHOP)
        status, out = self.play(self.client(
            "service = { 'python3', 'shop.py' }, queue = { visibility_timeout = '90s' },\n"
            "directory = '.'," + TALK), self.LATE, "--keep")
        self.assertEqual(status, 0, out)
        self.assertEqual(self.history().count('"process":"submit","accepted":true'), 2)

    def test_a_batch_cannot_be_given_away(self):
        status, out = self.play(os.path.join(CLIENTS, "batch", "batch_careful.lua"),
                                "queue = { visibility_timeout = '90s' }, " + self.LATE)
        self.assertEqual(status, 3, out)
        self.assertIn("was over while it was in a batch", out)
        self.assertNotIn("no worker had its job", out)

    def test_mistakes(self):
        for queue, why in (("{ trie = 2 }", "queue has no field 'trie' (did you mean tries?)"),
                           ("5", "queue is a table"),
                           ("{ backoff = { first = '1s', factor = 1000 } }",
                            "backoff.factor is a number from 1 to 100")):
            self.refused("return client { command = { 'x' }, queue = " + queue + " }", why)


class Histories(ShapesTest):
    """The same run, the same bytes: ports, pids and what a service prints are not in it."""

    def twice(self, client, *options):
        scenario = self.write("s.lua", "return scenario {\n" + CRASH + ", orders = 3\n}\n")
        texts = []
        for i in range(2):
            folder = os.path.join(self.home, f"histories{i}")
            done = self.run_harness(scenario, "--client", client, "--history", folder, *options)
            self.assertIn(done.returncode, (0, 1), done.stdout + done.stderr)
            with open(os.path.join(folder, "s.jsonl"), encoding="utf-8") as file:
                texts.append(file.read())
        self.assertEqual(*texts)

    def test_of_a_service(self):
        self.twice(os.path.join(CLIENTS, "service", "service_naive.lua"))

    def test_of_a_batch(self):
        self.twice(os.path.join(CLIENTS, "batch", "batch_naive.lua"))


class Killed(ShapesTest):
    def test_nobody_outlives_a_harness_that_is_killed(self):
        self.write("shop.py", SHOP)
        client = self.client(
            "service = { 'python3', 'shop.py' }, workers = { { 'sleep', '1000' } },\n"
            "directory = '.', submit = function(order) sh('echo > ready; sleep 1000') end,\n"
            "claim = function(order) return 'unknown' end,")
        scenario = self.write("s.lua", "return scenario { title = 'hangs' }")
        with subprocess.Popen([PSP_HARNESS, "run", scenario, "--client", client], cwd=self.home,
                              env=dict(os.environ, TMPDIR=self.boxes), stdin=subprocess.DEVNULL,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as harness:
            self.wait_until(lambda: os.path.exists(os.path.join(self.home, "ready")))
            self.assertGreaterEqual(len(self.there()), 4, "service, worker, sh and its sleep")
            harness.kill()
        self.wait_until(lambda: not self.there())

    def wait_until(self, condition):
        deadline = time.monotonic() + PATIENCE
        while not condition():
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.01)


class Prepare(ShapesTest):
    def test_every_world_begins_with_what_was_prepared(self):
        self.write("migrate.sh", "#!/bin/sh\ncd \"$STATE_DIR\" && mkdir db && echo 1 > db/version &&"
                   "ln -s db/version current && echo x >> \"$COUNTER\"\n")
        counter = os.path.join(self.home, "counter")
        self.write("pay.sh", PAY.replace("[ \"$GREETING\" = \"${1:-}\" ] || exit 7",
                                         "[ \"$(cat \"$STATE_DIR/current\")\" = 1 ] || exit 7\n"
                                         "echo 2 > \"$STATE_DIR/db/version\""))
        client = self.client("command = { './pay.sh' }, prepare = { './migrate.sh' },"
                             f"environment = {{ COUNTER = '{counter}' }}")
        a = self.write("a.lua", "return scenario { title = 'a', orders = 2 }")
        b = self.write("b.lua", "return scenario { title = 'b', orders = 2 }")
        done = self.run_harness(a, b, "--client", client)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        with open(counter, encoding="utf-8") as file:
            self.assertEqual(file.read(), "x\n", "once")
        self.assertEqual(os.listdir(self.boxes), [], "nothing of it is left")

    def failed(self, prepare, why, *options):
        scenario = self.write("s.lua", "return scenario { title = 'never played' }")
        done = self.run_harness(scenario, "--client", self.client(
            "command = { 'true' }, prepare = { " + prepare + " }"), *options)
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn(why, done.stderr)
        self.assertEqual(os.listdir(self.boxes), [])

    def test_it_fails(self):
        self.failed("'sh', '-c', 'echo no database >&2; exit 3'",
                    "prepare ended with status 3; it said: no database")
        self.failed("'./none'", "'./none' does not exist")
        self.failed("'sleep', '100'", "prepare has not ended after 200ms", "--timeout", "200ms")


if __name__ == "__main__":
    unittest.main()
