"""Webhook actions in scenarios: the harness is asked about every webhook of its provider, knows whose
it is without being told, and has what was done to it in its history."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import main  # noqa: E402
from webhook_receiver import Receiver  # noqa: E402

# Pays without a word about its order; its webhooks go to the receiver of the test. Each order has an
# endpoint of its own, which is told of those that come later as well. Waits for a file, if told to.
CLIENT = r"""
cd "$STATE_DIR"
ask() { curl -sf --max-time 20 -u "$PSP_API_KEY:" "$PSP_URL/v1/$1" "${@:2}"; }
[ -e told ] || ask webhook_endpoints -d url="$RECEIVER" -d 'enabled_events[]=*' > told || exit 75
ask payment_intents -d amount="$ORDER_AMOUNT" -d currency="$ORDER_CURRENCY" -d confirm=true \
    -d payment_method=pm_card_visa -H "Idempotency-Key: $ORDER_ID" > paid || exit 75
until [ -z "$ARRIVED" -o "$ORDER_ID" = order_1 -o -e "$ARRIVED" ]; do sleep 0.01; done
grep -q '"status": *"succeeded"' paid
"""


class Scenarios(unittest.TestCase):
    def setUp(self):
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)
        folder = tempfile.TemporaryDirectory(prefix="psp-e2e.")
        self.addCleanup(folder.cleanup)
        self.home = folder.name

    def play(self, fields, *options, arrived=""):
        """The exit status and the history of a scenario with these FIELDS."""
        path = os.path.join(self.home, "a.lua")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"return scenario {{ title = 't', {fields} }}\n")
        done = subprocess.run(
            [os.environ["PSP_HARNESS"], "run", "--keep", "--format", "json", *options, path, "--",
             "bash", "-c", CLIENT], env={**os.environ, "TMPDIR": self.home,
                                         "RECEIVER": self.receiver.url, "ARRIVED": arrived},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        box = json.loads(done.stdout)["scenarios"][0]["box"]
        with open(os.path.join(box, "history.jsonl"), encoding="utf-8") as file:
            history = [json.loads(line) for line in file]
        self.assertNotEqual(done.returncode, 2, done.stdout + done.stderr)
        return done.returncode, history

    @staticmethod
    def faults(history):
        return [(event["order"], event["data"]["act"], event["data"]["event_type"])
                for event in history if event["kind"] == "fault"
                and event["data"]["at"] == "webhook"]

    def test_a_list_strikes_the_webhooks_of_one_order(self):
        status, history = self.play("""orders = 2, faults = {
            { on = "charge.*", order = "order_2", at = "webhook", act = lose() },
            { on = "payment_intent.created", attempt = 1, at = "webhook", act = { duplicate(), forge() } },
            { pays = true, at = "after_commit", act = early("20s") } }""")
        self.assertEqual(status, 0)
        created = "payment_intent.created"
        self.assertEqual(sorted(self.faults(history)), [
            ("order_1", "duplicate", created), ("order_1", "forge", created),
            ("order_2", "duplicate", created), ("order_2", "forge", created),
            ("order_2", "lose", "charge.succeeded"), ("order_2", "lose", "charge.succeeded")])
        self.assertEqual(self.receiver.types().count("charge.succeeded"), 1)

    def test_a_function_is_asked_too(self):
        status, history = self.play("""faults = function(req)
            if req.at == "webhook" and req.event_type == "charge.succeeded" and req.order == "order_1"
                and req.endpoint:find("/hooks", 1, true) then return lose() end end""")
        self.assertEqual(status, 0)
        self.assertEqual(self.faults(history), [("order_1", "lose", "charge.succeeded")])

    def test_a_day_of_delay_holds_nobody_up(self):
        """The run comes to its end, and what is still to come comes then."""
        status, history = self.play("""faults = {
            { on = "charge.*", at = "webhook", act = delay("1d") } }""", "--timeout", "50s")
        self.assertEqual(status, 0)
        self.assertEqual(self.faults(history), [("order_1", "delay 1d", "charge.succeeded")])
        self.assertEqual(self.receiver.types()[-1], "charge.succeeded")
        self.assertEqual(self.receiver.types().count("charge.succeeded"), 1)

    def test_it_comes_when_the_clock_is_moved(self):
        path = os.path.join(self.home, "arrived")
        first = []

        def answer(delivery):
            request = delivery.event["request"]["id"]
            first.append(request)
            if delivery.event["type"] == "charge.succeeded" and request == first[0]:
                open(path, "w", encoding="utf-8").close()
            return 200
        self.receiver.answer = answer
        status, history = self.play("""orders = 2, faults = {
            { on = "charge.*", nth = 1, at = "webhook", act = delay("1d") } },
            run = function(world)
                world:start(world.orders[1]):wait():advance("25h")
                world:start(world.orders[2]):wait()
            end""", arrived=path)
        self.assertEqual(status, 0)
        self.assertEqual(self.faults(history), [("order_1", "delay 1d", "charge.succeeded")])

    def test_the_provider_dies_and_the_word_of_the_payment_comes_after_all(self):
        """Asked about anew by the one that came back; a fault that struck before it died stands."""
        status, history = self.play("""faults = {
            { on = "payment_intent.*", at = "webhook", act = lose() },
            { pays = true, attempt = 1, at = "after_commit", act = crash_psp() } }""")
        self.assertEqual(status, 0)
        lost = [fault for fault in self.faults(history) if fault[1] == "lose"]
        self.assertEqual(len(lost), 2)
        self.assertEqual({order for order, _, _ in lost}, {"order_1"})
        self.assertNotIn("payment_intent.created", self.receiver.types())

    def test_a_fault_that_never_struck_is_no_pass(self):
        status, _ = self.play("""faults = {
            { on = "refund.*", at = "webhook", act = lose() } }""")
        self.assertEqual(status, 3)


if __name__ == "__main__":
    main()
