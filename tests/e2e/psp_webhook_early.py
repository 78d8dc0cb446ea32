"""`early`: webhooks come before the answer of the request that caused them. It is the order of bytes
that is looked at, whatever time it takes."""
import os
import sys
import threading

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, main  # noqa: E402
from raw_http import request  # noqa: E402
from webhook_case import ENDPOINTS, Hooked, at_webhook  # noqa: E402


class Early(Hooked):
    def early(self, *acts):
        self.strike({"on": "POST *", "pays": True, "at": "after_commit", "act": list(acts)})

    def send(self):
        connection = self.psp.connect()
        self.addCleanup(connection.close)
        connection.send(request("POST", "/v1/payment_intents", self.account, PAYMENT, "key"))
        return connection

    def test_before_the_first_byte_of_the_answer(self):
        self.listen("*")
        self.early({"kind": "early", "most": "1h"})
        seen, holder = [], {}
        ready = threading.Event()

        def answer(_):
            ready.wait()
            self.psp.control("GET", "health")  # whatever could leave has left
            seen.append(holder["connection"].silent())
            return 200
        self.receiver.answer = answer
        holder["connection"] = self.send()
        ready.set()
        answer = holder["connection"].answer()
        self.assertEqual(answer.status, 200)
        self.assertEqual(seen, [True, True, True])
        self.assertEqual(len(self.receiver.got), 3)

    def test_then_whatever_else_is_to_happen_there(self):
        self.listen("charge.succeeded")
        self.early({"kind": "early", "most": "1h"}, {"kind": "drop"})
        connection = self.send()
        self.assertEqual(connection.rest(), (b"", "fin"))
        self.assertEqual(self.receiver.types(), ["charge.succeeded"])

    def test_it_does_not_wait_for_a_second_try(self):
        self.listen("charge.succeeded")
        self.receiver.answer = 500
        self.early({"kind": "early", "most": "1h"})
        self.assertEqual(self.send().answer().status, 200)
        self.assertEqual(len(self.receiver.got), 1)

    def test_it_ends_when_nobody_answers(self):
        self.listen("charge.succeeded")
        self.strike({"on": "POST *", "pays": True, "at": "after_commit",
                     "act": {"kind": "early", "most": "20ms"}},
                    at_webhook("*", [{"kind": "delay", "ms": 3600000}]))
        self.assertEqual(self.send().answer().status, 200)
        self.assertEqual(self.receiver.got, [])

    def test_a_lost_one_is_not_waited_for(self):
        self.listen("charge.succeeded")
        self.strike({"on": "POST *", "pays": True, "at": "after_commit",
                     "act": {"kind": "early", "most": "1h"}}, at_webhook("*", "lose"))
        self.assertEqual(self.send().answer().status, 200)

    def test_nobody_listens(self):
        self.early({"kind": "early", "most": "1h"})
        self.assertEqual(self.send().answer().status, 200)

    def test_one_that_cannot_be_told_is_not_waited_for(self):
        self.json(self.pay(None, [("disabled", "true")], f"{ENDPOINTS}/{self.listen('*')['id']}"))
        self.early({"kind": "early", "most": "1h"})
        self.assertEqual(self.send().answer().status, 200)


if __name__ == "__main__":
    main()
