"""Faults at webhook from a list and from a function in Lua, and across a kill -9: what was decided
about a webhook outlives the provider that decided it."""
import os
import sys
import tempfile
import threading
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, main, new_account, wait_until  # noqa: E402
from raw_http import request  # noqa: E402
from webhook_case import at_webhook  # noqa: E402
from webhook_receiver import Receiver  # noqa: E402


class Own(unittest.TestCase):
    """A provider of one's own."""

    def setUp(self):
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)

    def start(self, *options):
        psp = Mockpsp("--quiet", "--clock", "manual", "--db", "psp.db", "--webhook",
                      self.receiver.url, *options)
        self.addCleanup(psp.clean)
        return psp

    def scripted(self, faults):
        folder = tempfile.TemporaryDirectory(prefix="psp-e2e.")
        self.addCleanup(folder.cleanup)
        path = os.path.join(folder.name, "faults.lua")
        with open(path, "w", encoding="utf-8") as file:
            file.write(f"return scenario {{ title = 't', faults = {faults} }}\n")
        return self.start("--faults", path)

    @staticmethod
    def pay(psp, order="order_1"):
        answer = psp.ask("POST", "/v1/payment_intents", new_account(),
                         PAYMENT + [("metadata[order_id]", order)])
        return answer.status

    @staticmethod
    def states(psp):
        found = psp.control("GET", "webhooks")["deliveries"]
        return sorted((d["type"], d["state"]) for d in found)

    def wait_for(self, psp, state, count):
        wait_until(lambda: [s for _, s in self.states(psp)].count(state) == count,
                   f"{count} {state}")

    def test_a_list_in_lua(self):
        psp = self.scripted("""{
            { on = "charge.*", at = "webhook", act = lose(), when = function(req)
                return req.at == "webhook" and req.event_type == "charge.succeeded"
                    and req.delivery_attempt == 1 and req.order == "order_1"
                    and req.endpoint:find("/hooks", 1, true) and req.amount == 2000
                    and req.event:find("^evt_") and req.connection == nil
                    and req.params["data[object][status]"] == "succeeded" end },
            { at = "webhook", on = "payment_intent.created", order = "order_1",
              act = { delay("1h"), duplicate() } } }""")
        self.assertEqual(self.pay(psp), 200)
        self.assertEqual(self.pay(psp, "order_2"), 200)
        self.wait_for(psp, "delivered", 4)
        self.wait_for(psp, "lost", 1)
        psp.advance("1h")
        self.wait_for(psp, "delivered", 5)
        self.assertEqual(self.receiver.types().count("payment_intent.created"), 3)
        self.assertEqual(self.receiver.types().count("charge.succeeded"), 1)

    def test_a_function_in_lua(self):
        psp = self.scripted("""function(req)
            if req.at == "webhook" and req.event_type == "charge.succeeded" then
                return { forge(), duplicate() }
            elseif req.at == "after_commit" then
                return early("1h")
            end end""")
        self.assertEqual(self.pay(psp), 200)
        self.assertEqual(len(self.receiver.got), 5)
        self.wait_for(psp, "delivered", 3)
        self.assertEqual(self.receiver.types().count("charge.succeeded"), 3)

    def test_what_was_decided_survives_a_kill(self):
        """Delayed, lost and held back: the provider that comes back knows, without its faults."""
        psp = self.start()
        psp.faults(at_webhook("charge.succeeded", [{"kind": "delay", "ms": 3600000},
                                                   {"kind": "duplicate"}, {"kind": "forge"}]),
                   at_webhook("payment_intent.created", "lose"),
                   at_webhook("payment_intent.succeeded", [{"kind": "reorder", "most": "2h"}]))
        self.assertEqual(self.pay(psp), 200)
        self.wait_for(psp, "lost", 1)
        wait_until(lambda: len([e for e in psp.journal() if e["kind"] == "fault"]) == 5, "faults")
        psp.kill()
        psp.restart()
        self.assertEqual(self.states(psp), [("charge.succeeded", "pending"),
                                            ("payment_intent.created", "lost"),
                                            ("payment_intent.succeeded", "pending")])
        self.assertEqual(self.receiver.got, [])
        psp.advance("1h")
        self.wait_for(psp, "delivered", 1)
        self.assertEqual(self.receiver.types(), ["charge.succeeded"] * 3)
        psp.advance("1h")
        self.wait_for(psp, "delivered", 2)
        self.assertEqual(self.receiver.types()[3:], ["payment_intent.succeeded"])
        self.assertEqual(len([e for e in psp.journal() if e["kind"] == "fault"]), 5)

    def test_killed_while_a_duplicate_is_under_way(self):
        both = threading.Barrier(3)
        self.receiver.answer = lambda _: both.wait(30) is not None and 200
        psp = self.start()
        psp.faults(at_webhook("charge.succeeded", "duplicate"), at_webhook("payment*", "lose"))
        self.assertEqual(self.pay(psp), 200)
        wait_until(lambda: len(self.receiver.got) == 2, "both have come")
        psp.kill()
        both.wait(30)  # answered, and nobody there to hear it
        self.receiver.answer = 200
        psp.restart()
        self.wait_for(psp, "delivered", 1)
        self.assertEqual(len(self.receiver.got), 4)
        self.assertEqual(len({d.event["id"] for d in self.receiver.got}), 1)

    def test_committed_and_killed_before_it_was_asked_about(self):
        """The payment stands, and so does the word of it."""
        psp = self.start()
        psp.faults({"on": "POST *", "at": "after_commit", "act": {"kind": "crash_psp"}})
        with psp.connect() as connection:
            connection.send(request("POST", "/v1/payment_intents", new_account(), PAYMENT))
            connection.rest()
        psp.process.wait()
        psp.restart()
        self.wait_for(psp, "delivered", 3)


if __name__ == "__main__":
    main()
