"""Somebody who is told, and a provider that is made to do things to its webhooks."""
from mockpsp_process import PspTest, wait_until
from webhook_receiver import Receiver

ENDPOINTS = "/v1/webhook_endpoints"


def at_webhook(on, act, **more):
    return {"on": on, "at": "webhook", "act": act if isinstance(act, list) else {"kind": act},
            **more}


class Listening(PspTest):
    """With a receiver, and endpoints that lead there."""

    def setUp(self):
        super().setUp()
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)

    def listen(self, *types, url=None):
        params = [("url", url or self.receiver.url)] + [("enabled_events[]", t) for t in types]
        return self.json(self.pay(None, params, ENDPOINTS))

    def deliveries(self):
        return self.psp.control("GET", "webhooks", account=self.account)["deliveries"]


class Hooked(Listening):
    """With faults, too."""

    def strike(self, *rules):
        self.psp.faults(*rules, account=self.account)

    def wait_for(self, state, count=1):
        """Until COUNT deliveries are in STATE; those."""
        def look():
            found = [d for d in self.deliveries() if d["state"] == state]
            return found if len(found) == count else None
        return wait_until(look, f"{count} deliveries {state}")

    def faults(self):
        """What the journal says was done to webhooks."""
        return [entry for entry in self.psp.journal(self.account) if entry["kind"] == "fault"
                and entry["data"]["at"] == "webhook"]

    def assertTold(self, delivery, *acts):
        """The report and the journal name ACTS, and nothing else."""
        self.assertEqual([fault["act"] for fault in delivery["faults"]], list(acts))
        journal = [entry["data"] for entry in self.faults()
                   if entry["data"]["event"] == delivery["event"]]
        self.assertEqual([data["act"] for data in journal], list(acts))
        for data in journal:
            self.assertEqual(data["event_type"], delivery["type"])
            self.assertEqual(data["endpoint"], delivery["endpoint"])
