"""What faults do to webhooks, seen from the receiver: what came, in which order, what signature it
bears; and to which webhooks they do it. Before the answer of a request: psp_webhook_early.py. From
scripts, and across a kill: psp_webhook_sources.py. From the harness: webhook_scenarios.py."""
import json
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, main, wait_until  # noqa: E402
from webhook_case import Hooked, at_webhook  # noqa: E402
from webhook_receiver import Receiver  # noqa: E402

DECLINED = [("amount", "2000"), ("currency", "usd"), ("confirm", "true"),
            ("payment_method", "pm_card_chargeDeclined")]


class Actions(Hooked):
    def test_lose_is_never_sent(self):
        self.listen("*")
        self.strike(at_webhook("charge.succeeded", "lose"))
        self.json(self.pay())
        self.wait_for("delivered", 2)
        lost = self.wait_for("lost")[0]
        self.assertEqual((lost["type"], lost["attempts"]), ("charge.succeeded", 0))
        self.assertIsNone(lost["next_attempt_ms"])
        self.assertTold(lost, "lose")
        self.psp.advance("80h")
        self.assertEqual(sorted(self.receiver.types()),
                         ["payment_intent.created", "payment_intent.succeeded"])
        event = self.json(self.get("/v1/events/" + lost["event"]))
        self.assertEqual(event["pending_webhooks"], 0)

    def test_lose_is_undone_by_hand(self):
        self.listen("charge.succeeded")
        self.strike(at_webhook("*", "lose", nth=1))
        self.json(self.pay())
        event = self.wait_for("lost")[0]["event"]
        self.psp.control("POST", f"webhooks/{event}/resend", account=self.account)
        self.wait_for("delivered")
        self.assertEqual([d.event["id"] for d in self.receiver.got], [event])

    def test_lose_for_one_endpoint_is_not_for_the_other(self):
        other = Receiver()
        self.addCleanup(other.close)
        self.listen("charge.succeeded")
        self.listen("charge.succeeded", url=other.url)
        self.strike(at_webhook("*", "lose", nth=1))
        self.json(self.pay())
        self.wait_for("lost")
        self.wait_for("delivered")
        self.assertEqual(len(self.receiver.got) + len(other.got), 1)

    def test_delay_passes_on_the_provider_s_clock_and_holds_up_nobody(self):
        self.listen("*")
        self.strike(at_webhook("charge.succeeded", [{"kind": "delay", "ms": 86400000}]))
        self.json(self.pay())
        self.wait_for("delivered", 2)
        late = self.wait_for("pending")[0]
        now = self.psp.control("GET", "clock")["now_ms"]
        self.assertEqual(late["next_attempt_ms"] - now, 86400000)
        self.assertTold(late, "delay 1d")
        self.psp.advance("23h")
        for _ in range(3):  # more than are under way at once, were they under way
            self.json(self.pay())
        self.wait_for("delivered", 8)
        self.assertNotIn("charge.succeeded", self.receiver.types())
        self.psp.advance("1h")
        self.wait_for("delivered", 9)
        self.assertEqual(self.receiver.types()[-1], "charge.succeeded")
        self.assertEqual(self.receiver.got[-1].event["id"], late["event"])

    def test_duplicate_comes_twice_at_the_same_moment(self):
        """Neither is answered before both have come: there are two connections."""
        endpoint = self.listen("charge.succeeded")
        both = threading.Barrier(2)
        self.receiver.answer = lambda _: both.wait(30) is not None and 200
        self.strike(at_webhook("charge.*", "duplicate"))
        self.json(self.pay())
        told = self.wait_for("delivered")[0]
        one, two = self.receiver.got
        self.assertEqual((one.body, one.signature), (two.body, two.signature))
        self.assertTrue(one.is_signed_with(endpoint["secret"]))
        self.assertEqual(told["attempts"], 1)
        self.assertTold(told, "duplicate")

    def test_duplicate_is_acknowledged_by_either(self):
        self.listen("charge.succeeded")
        lock, statuses = threading.Lock(), [500, 200]

        def answer(_):
            with lock:
                return statuses.pop()
        self.receiver.answer = answer
        self.strike(at_webhook("*", "duplicate"))
        self.json(self.pay())
        self.assertEqual(self.wait_for("delivered")[0]["last_status"], 200)
        self.assertEqual(len(self.receiver.got), 2)

    def test_reorder_lets_a_later_one_arrive_first(self):
        self.listen("*")
        self.strike(at_webhook("payment_intent.created", "reorder"))
        self.json(self.pay())
        self.wait_for("delivered", 3)
        self.assertEqual(len(self.receiver.got), 3)
        self.assertNotEqual(self.receiver.types()[0], "payment_intent.created")
        created = [d for d in self.deliveries() if d["type"] == "payment_intent.created"]
        self.assertTold(created[0], "reorder")

    def test_reorder_waits_for_an_answer_not_for_a_start(self):
        """The later one is under way: the held one comes when it has been answered, not before."""
        self.listen("payment_intent.created", "charge.succeeded")
        self.strike(at_webhook("payment_intent.created", "reorder"))
        seen = []

        def answer(delivery):
            if delivery.event["type"] == "charge.succeeded":
                self.psp.control("GET", "health")  # it had every chance
                seen.append(self.receiver.types())
            return 200
        self.receiver.answer = answer
        self.json(self.pay())
        self.wait_for("delivered", 2)
        self.assertEqual(seen, [["charge.succeeded"]])

    def test_reorder_of_the_last_one_ends_by_itself(self):
        self.listen("payment_intent.succeeded")
        self.strike(at_webhook("*", [{"kind": "reorder", "most": "30s"}]))
        self.json(self.pay())
        self.wait_for("pending")
        self.psp.advance("29s")
        self.assertEqual(self.receiver.got, [])
        self.psp.advance("1s")
        self.wait_for("delivered")

    def test_reorder_behind_a_delay_keeps_the_delay(self):
        self.listen("payment_intent.created", "charge.succeeded")
        self.strike(at_webhook("payment_intent.created",
                               [{"kind": "delay", "ms": 60000}, {"kind": "reorder"}]))
        self.json(self.pay())
        self.wait_for("delivered")
        self.psp.advance("59s")
        self.assertEqual(self.receiver.types(), ["charge.succeeded"])
        self.psp.advance("1s")
        self.wait_for("delivered", 2)

    def test_forge_claims_success_and_bears_no_signature_of_ours(self):
        endpoint = self.listen("payment_intent.payment_failed")
        self.strike(at_webhook("*", "forge"))
        self.receiver.answer = lambda delivery: (
            200 if delivery.is_signed_with(endpoint["secret"]) else 400)
        self.error(self.pay(None, DECLINED), 402)
        told = self.wait_for("delivered")[0]
        forged, real = self.receiver.got
        self.assertFalse(forged.is_signed_with(endpoint["secret"]))
        self.assertTrue(real.is_signed_with(endpoint["secret"]))
        self.assertEqual(self.receiver.types(),
                         ["payment_intent.succeeded", "payment_intent.payment_failed"])
        self.assertEqual(forged.event["data"]["object"]["status"], "succeeded")
        self.assertEqual(real.event["data"]["object"]["status"], "requires_payment_method")
        self.assertEqual(forged.event["id"], real.event["id"])
        self.assertEqual((told["attempts"], told["last_status"]), (1, 200))
        self.assertTold(told, "forge")

    def test_forge_is_answered_before_the_real_one_comes(self):
        endpoint = self.listen("charge.failed")
        self.strike(at_webhook("*", [{"kind": "forge"}, {"kind": "duplicate"}]))
        came = []

        def answer(delivery):
            if not delivery.is_signed_with(endpoint["secret"]):
                self.psp.control("GET", "health")
                came.append(len(self.receiver.got))
                return None  # no answer at all
            return 200
        self.receiver.answer = answer
        self.error(self.pay(None, DECLINED), 402)
        self.assertTold(self.wait_for("delivered")[0], "forge", "duplicate")
        self.assertEqual(came, [1])
        self.assertEqual(len(self.receiver.got), 3)

    def test_a_try_that_failed_is_tried_again_and_asked_about_again(self):
        self.listen("charge.succeeded")
        self.receiver.answer = 500
        self.strike(at_webhook("*", "duplicate", attempt=2), at_webhook("*", "lose", attempt=3))
        self.json(self.pay())
        for attempts, came in ((1, 1), (2, 3)):
            wait_until(lambda n=attempts: self.deliveries()[0]["attempts"] == n, f"{attempts}")
            self.assertEqual(len(self.receiver.got), came)
            self.psp.advance(f"{attempts * 10}s")
        lost = self.wait_for("lost")[0]
        self.assertEqual([(f["attempt"], f["act"]) for f in lost["faults"]],
                         [(2, "duplicate"), (3, "lose")])

    def test_a_reset_forgets_what_is_held_back(self):
        self.listen("*")
        self.strike(at_webhook("*", [{"kind": "delay", "ms": 3600000}]))
        self.json(self.pay())
        wait_until(lambda: len(self.faults()) == 3, "three are held")
        self.psp.control("POST", "reset", account=self.account)
        self.psp.advance("2h")
        self.assertEqual(self.deliveries(), [])
        self.assertEqual(self.receiver.got, [])


class Selection(Hooked):
    def test_types_and_stars(self):
        self.listen("*")
        self.strike(at_webhook("payment_intent.*", "lose"))
        self.json(self.pay())
        self.wait_for("lost", 2)
        self.wait_for("delivered")
        self.assertEqual(self.receiver.types(), ["charge.succeeded"])

    def test_orders(self):
        self.listen("charge.succeeded")
        self.strike(at_webhook("*", "lose", order="order_2"))
        for order in ("order_1", "order_2", "order_3"):
            self.json(self.pay(None, PAYMENT + [("metadata[order_id]", order)]))
        self.wait_for("lost")
        self.wait_for("delivered", 2)
        self.assertEqual(sorted(d.event["data"]["object"]["metadata"]["order_id"]
                                for d in self.receiver.got), ["order_1", "order_3"])
        self.assertEqual([entry["order"] for entry in self.faults()], ["order_2"])

    def test_requests_and_webhooks_are_counted_apart(self):
        self.listen("charge.succeeded")
        self.strike(at_webhook("*", "lose", nth=2),
                    {"on": "POST *", "nth": 2, "at": "received",
                     "act": {"kind": "respond", "status": 418}})
        self.assertEqual([self.pay().status for _ in range(3)], [200, 418, 200])
        self.wait_for("lost")
        self.wait_for("delivered")
        shown = self.psp.control("GET", "faults", account=self.account)
        self.assertEqual(shown["struck"], [1, 1])

    def test_times(self):
        self.listen("charge.succeeded")
        self.strike(at_webhook("*", "lose", times=1))
        for _ in range(2):
            self.json(self.pay())
        self.wait_for("lost")
        self.wait_for("delivered")

    def test_armed_for_the_next_one(self):
        self.listen("charge.succeeded")
        self.psp.arm(at_webhook("*", [{"kind": "duplicate"}, {"kind": "forge"}]),
                     account=self.account)
        self.json(self.pay())
        self.assertTold(self.wait_for("delivered")[0], "duplicate", "forge")
        self.json(self.pay())
        self.wait_for("delivered", 2)
        self.assertEqual(len(self.receiver.got), 4)

    def test_what_makes_no_sense_is_refused(self):
        for rule, word in ((at_webhook("POST *", "lose"), "charge.succeeded"),
                           (at_webhook("*", "drop"), "drop makes no sense at webhook"),
                           (at_webhook("*", "lose", pays=True), "pays makes no sense at webhook"),
                           (at_webhook("*", "lose", warm=True), "warm makes no sense at webhook"),
                           (at_webhook("*", [{"kind": "lose"}, {"kind": "delay", "ms": 1}]),
                            "delay cannot follow on lose"),
                           (at_webhook("*", [{"kind": "duplicate", "after": "1s"}]),
                            "duplicate has no options at webhook"),
                           ({"at": "received", "act": {"kind": "lose"}}, "it does at webhook"),
                           ({"at": "received", "act": {"kind": "early"}}, "at after_commit")):
            answer = self.psp.ask("PUT", "/_mock/faults", self.account, json.dumps([rule]))
            self.assertIn(word, self.error(answer, 400)["message"])


if __name__ == "__main__":
    main()
