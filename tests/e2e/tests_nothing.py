"""A vacuous run is never a pass: every way to test nothing is named, with what to do about it."""
import concurrent.futures
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from harness_case import PAYS, HarnessCase

INCONCLUSIVE, USAGE = 3, 2
AT_ONCE = 4  # they mostly wait

URL = "it has to call the address that it finds in PSP_URL"
KEY = "the client has to send the API key that it finds in PSP_API_KEY"
STRIKES = "at = 'received', act = drop()"
GETS = 'curl -s -o /dev/null -u "$PSP_API_KEY:" "$PSP_URL/v1/charges"'
ELSEWHERE = '{"order":"order_9","outcome":"succeeded"}'

# (what it does, its command in sh, fields of the scenario, what is said of it: reason and remedy)
WAYS = (
    ("no call at all", "exit 0", "", ("never called the provider for order_1", "status 0", URL)),
    ("says failed, without a call", "exit 1", "", ("never called the provider", "status 1", URL)),
    ("says unknown for ever", "exit 75", "", ("never called the provider", "status 75", URL)),
    ("dies before it calls", "kill -9 $$", "", ("never called the provider", "signal 9", URL)),
    ("says why it cannot", "echo no configuration >&2; exit 78", "",
     ("and said: no configuration", URL)),
    ("a wrong URL", PAYS.replace("$PSP_URL", "http://127.0.0.1:9") + "; exit 75", "",
     ("never called the provider", URL)),
    ("a wrong port", PAYS.replace("$PSP_URL", "${PSP_URL%:*}:9") + "; exit 0", "",
     ("never called the provider", URL)),
    ("the control plane alone", 'curl -s -o /dev/null "$PSP_URL/_mock/health"', "",
     ("never called the provider", URL)),
    ("one order of two", "[ $ORDER_ID = order_1 ] || exit 0; " + PAYS, "orders = 2",
     ("never called the provider for order_2", URL)),
    ("a wrong API key, unknown", "PSP_API_KEY=nonsense; " + PAYS + "; exit 75", "",
     ("every request for order_1 was refused with 401", KEY)),
    ("a wrong API key, failed", "PSP_API_KEY=nonsense; " + PAYS + "; exit 1", "",
     ("every request for order_1 was refused with 401", KEY)),
    ("no API key", PAYS.replace('-u "$PSP_API_KEY:"', "") + "; exit 75", "",
     ("every request for order_1 was refused with 401", KEY)),
    ("only asks, and gives up", GETS + "; exit 1", "",
     ("order_1 was given up", "its last request was GET /v1/charges, and the answer 200")),
    ("a route that is none", PAYS.replace("payment_intents", "intents") + "; exit 1", "",
     ("order_1 was given up", "its last request was POST /v1/intents, and the answer 404")),
    ("claims of others only", f"echo '{ELSEWHERE}'; exit 75", "",
     ("which is another order", "its own is in ORDER_ID")),
    ("pays, and claims of others", PAYS + f"; echo '{ELSEWHERE}'", "",
     ("which is another order", "its own is in ORDER_ID")),
    ("a claim of no known outcome", PAYS + """; echo '{"order":"order_1","outcome":"ok"}'""", "",
     ("a claim that cannot be read", 'none of "succeeded", "failed", "unknown"')),
    ("a route never used", PAYS, f"faults = {{{{ on = 'POST /v1/refunds', {STRIKES} }}}}",
     ("never struck", "no such request came", "compare `on` with what the client sends")),
    ("attempt 7 of 1", PAYS, f"faults = {{{{ attempt = 7, {STRIKES} }}}}",
     ("never struck", "1 such came", "makes the client try again")),
    ("nth 99", PAYS, f"faults = {{{{ nth = 99, {STRIKES} }}}}",
     ("never struck", "number 99 of the run", "more --orders")),
    ("an order that does not exist", PAYS, f"faults = {{{{ order = 'order_9', {STRIKES} }}}}",
     ("never struck", "no such request came", "see --orders")),
    ("a chance that never comes", PAYS, f"faults = {{{{ chance = 0.0001, {STRIKES} }}}}",
     ("never struck", "its chance (0.0001) did not come", "take another --seed")),
    ("after the end", PAYS, f"faults = {{{{ from = '10h', {STRIKES} }}}}",
     ("never struck", "none in its time", "or advance the clock")),
    ("before the beginning", PAYS,
     f"faults = {{{{ to = '1m', {STRIKES} }}}}, run = function(world) world:advance('1h') end",
     ("never struck", "none in its time", "change `from` or `to`")),
    ("a condition that never holds", PAYS,
     f"faults = {{{{ when = function() return false end, {STRIKES} }}}}",
     ("never struck", "its condition held for none", "change `when`")),
    ("no warm connection", PAYS, f"faults = {{{{ warm = true, {STRIKES} }}}}",
     ("never struck", "keep its connection for a second request")),
    ("no key to count by", PAYS.replace("-H", "-H X-Nothing -H", 1).replace(
        "Idempotency-Key", "X-Other"), f"faults = {{{{ per = 'key', nth = 1, {STRIKES} }}}}",
     ("never struck", "none was the one that it counts to")),
    ("no webhook endpoint", PAYS, "faults = {{ at = 'webhook', act = lose() }}",
     ("never struck", "make a webhook endpoint and listen")),
    ("faults(req) never returns an action", PAYS, "faults = function(req) end",
     ("faults(req) never returned an action", "it does not return it")),
    ("faults(req) lets everything pass", PAYS, "faults = function(req) return pass() end",
     ("faults(req) never returned an action",)),
    ("the clock moves behind everybody", PAYS,
     "run = function(world) world:start():wait() world:settle() world:advance('25h') end",
     ("world:advance moved the clock, and nothing happened after that", "or leave it out")),
    ("a lock that never expires", PAYS, "queue = { visibility_timeout = '90s' }",
     ("no worker had its job for longer than the visibility timeout, 90s",
      'act = { advance("90s"), … } does')),
    ("a crash without a client", PAYS + "--max-time 0.5; exit 0",
     "faults = {{ at = 'received', act = { delay('1500ms'), crash_client() } }}",
     ("no client was running that had sent it", "wait for the answer")),
    ("a crash that comes too late", PAYS,
     "faults = {{ at = 'responded', act = crash_client { after = '500ms' } }}",
     ("came too late", "give it a shorter `after`")),
    ("a crash that does not come", PAYS,
     "faults = {{ at = 'responded', act = crash_client { after = '1h' } }}",
     ("timed out", "has yet to come, see its `after`", "--timeout")),
    ("a provider that does not come back", PAYS,
     "faults = {{ at = 'received', act = crash_psp('1h') }}",
     ("timed out", "the provider is down", "--timeout")),
    ("an answer that does not come", PAYS,
     "faults = {{ at = 'received', act = delay('1h') }}",
     ("timed out", "is still open (delay 1h at received)", "--timeout")),
)


class TestsNothing(HarnessCase):
    def expect(self, result, wanted, words):
        status, said = result
        self.assertEqual(status, wanted, said)
        for word in words:
            self.assertIn(word, said)

    def test_every_way_is_inconclusive_and_says_what_to_do(self):
        def play(way):
            name, command, fields, words = way
            limit = "4s" if "timed out" in words else "60s"
            file = self.scenario(fields, name.replace(" ", "_") + ".lua")
            return self.run_harness("--timeout", limit, "--restarts", "1", file, "--", "sh", "-c",
                                    command)

        with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
            results = list(pool.map(play, WAYS))
        for (name, _, _, words), result in zip(WAYS, results):
            with self.subTest(name):
                self.expect(result, INCONCLUSIVE, words)
        self.expect_nobody()

    def test_a_client_that_pays_without_its_key_is_not_believed(self):
        status, said = self.run_harness(self.scenario(""), "--", "sh", "-c",
                                        "PSP_API_KEY=nonsense; " + PAYS)
        self.assertEqual(status, 1, said)
        self.assertIn("success_is_charged", said)
        self.assertIn("also: every request for order_1 was refused with 401", said)

    def test_a_client_that_is_not_there(self):
        plain = self.scenario("")
        deaf = self.write("deaf", "#!/bin/sh\n", mode=0o644)
        foreign = self.write("foreign", "#!/no/such/interpreter\n")
        for client, words in ((os.path.join(self.home, "none"), "does not exist"),
                              ("no-such-client", "is not in PATH (write ./no-such-client"),
                              (deaf, "is it a program, with chmod +x?"),
                              (self.boxes, "may not be executed"),
                              (foreign, "the interpreter that its first line names is missing")):
            with self.subTest(client):
                self.expect(self.run_harness(plain, "--", client), INCONCLUSIVE, (words,))
        self.expect_nobody()

    def test_nothing_to_play_is_a_mistake(self):
        plain = self.scenario("")
        empty = os.path.join(self.home, "empty")
        os.mkdir(empty)
        for words, said in (([], "write its command after --"),
                            ([plain, "--"], "write its command after --"),
                            ([empty, "--", "true"], "holds no scenario: no .lua file is in it"),
                            (["none.lua", "--", "true"], "no scenario 'none.lua'"),
                            (["--", "true"], "name .lua files, or a directory of them"),
                            (["--orders", "0", plain, "--", "true"], "--orders"),
                            ([self.scenario("orders = 0", "zero.lua"), "--", "true"],
                             "orders is a whole number from 1"),
                            ([self.write("nothing.lua", ""), "--", "true"], "nothing.lua"),
                            ([self.scenario("faults = {{ nth = 2, attempt = 1, " + STRIKES +
                                            " }}, orders = 1", "never.lua"), "--", "true"],
                             "never.lua")):
            with self.subTest(words):
                status, out = self.run_harness(*words)
                self.assertIn(status, (USAGE, INCONCLUSIVE), out)
                self.assertIn(said, out)

    def test_what_tests_something_passes(self):
        for fields in ("", f"faults = {{{{ attempt = 1, {STRIKES} }}}}",
                       "run = function(world) world:advance('25h') end"):
            status, said = self.run_harness(self.scenario(fields), "--", "sh", "-c",
                                            PAYS + "|| exit 75")
            self.assertEqual(status, 0, said)


if __name__ == "__main__":
    unittest.main()
