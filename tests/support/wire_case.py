"""What the tests of the wire share: a fault that strikes the first POST of an account, the story that
the journal tells of it, and what a retry finds."""
from mockpsp_process import PAYMENT, PspTest, new_account, wait_until
from raw_http import request
from wire_table import ACTIONS, STANDS, act


def once(at, kind, **options):
    """A rule for the first POST of an account; for the first GET, where only that makes sense."""
    on = "GET *" if (kind, at) == ("stale", "received") else "POST *"
    return {"on": on, "nth": 1, "at": at, "act": act(kind, **options)}


class WireTest(PspTest):
    """One provider, and for every failpoint an account, on a cold and on a warm connection."""

    def struck(self, kind, at, warm):
        """The connection on which a fault has struck, with a request sent on it."""
        connection = self.psp.connect()
        self.addCleanup(connection.close)
        if warm:
            get = request("GET", "/v1/charges", self.account)
            self.assertEqual(connection.ask(get).status, 200)
        self.psp.faults(once(at, kind), account=self.account)
        connection.send(request("POST", "/v1/payment_intents", self.account, PAYMENT, "key"))
        return connection

    def events(self, count):
        """Kinds and data of what happened to the POST; it must be COUNT events in the end."""
        def look():
            events = [(entry["kind"], entry["data"]) for entry in self.psp.journal(self.account)
                      if entry["request"] == self.posted()]
            return events if len(events) >= count else None
        events = wait_until(look, f"{count} events")
        self.assertEqual(len(events), count, events)
        return events

    def posted(self):
        """The attempt number of the first POST."""
        return next(entry["request"] for entry in self.psp.journal(self.account)
                    if entry["kind"] == "invoke" and entry["data"]["method"] == "POST")

    def assertStory(self, at, kind, outcome, stands):
        """invoke, effect and fault in the order in which they must have happened, then OUTCOME."""
        story = ["invoke"]
        if stands and at in STANDS:
            story.append("effect")
        if kind != "pass":
            story.append("fault")
        if stands and at not in STANDS:
            story.append("effect")
        events = self.events(len(story) + 1)
        self.assertEqual([name for name, _ in events], story + [outcome])
        struck = [data for name, data in events if name == "fault"]
        for data in struck:
            self.assertEqual(data["at"], at)
            self.assertEqual(data["act"].split()[0], kind)
        return events[0][1], events[-1][1]

    def each(self, kind):
        for at in ACTIONS[kind].where:
            for warm in (False, True):
                with self.subTest(at=at, warm=warm):
                    self.account = new_account()
                    yield at, warm, self.struck(kind, at, warm)

    def assertRetry(self, stands):
        """The same request with the same key once more: replayed over an effect that stands, executed
        otherwise; either way there is one charge in the end."""
        answer = self.pay("key")
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.header("idempotent-replayed"), "true" if stands else None)
        self.assertCharges(1)
