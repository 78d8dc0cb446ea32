"""Webhooks: signed, sent again until they are acknowledged, for three days on the provider's clock,
and neither forgotten by a kill nor by a receiver that is not there."""
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import threading
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, main, new_account, wait_until  # noqa: E402
from webhook_case import ENDPOINTS, Listening  # noqa: E402
from webhook_receiver import Receiver, signatures  # noqa: E402

PAID = ["charge.succeeded", "payment_intent.created", "payment_intent.succeeded"]


class WithReceiver(Listening):
    def wait_for(self, count, state, receiver=None):
        """Until COUNT deliveries are in STATE, and what came."""
        wait_until(lambda: [d["state"] for d in self.deliveries()].count(state) == count,
                   f"{count} deliveries {state}")
        return (receiver or self.receiver).got

    def wait_for_attempts(self, count):
        """Until the only delivery has had so many, and that delivery."""
        return wait_until(lambda: [d for d in self.deliveries() if d["attempts"] == count],
                          f"{count} attempts")[0]


class Deliveries(WithReceiver):
    def test_a_payment_is_announced(self):
        endpoint = self.listen("*")
        self.json(self.pay(key="key_1"))
        got = self.wait_for(3, "delivered")
        self.assertEqual(sorted(self.receiver.types()), PAID)
        for delivery in got:
            self.assertEqual(delivery.path, "/hooks")
            self.assertTrue(delivery.headers["content-type"].startswith("application/json"))
            self.assertTrue(delivery.is_signed_with(endpoint["secret"]))
            self.assertLess(abs(signatures(delivery.signature)[0] - time.time()), 300)
            event = self.json(self.get("/v1/events/" + delivery.event["id"]))
            self.assertEqual({**delivery.event, "pending_webhooks": 0}, event)
            self.assertEqual(delivery.event["pending_webhooks"], 1)

    def test_only_what_is_wanted_to_whom_it_is_wanted_by(self):
        self.listen("charge.succeeded")
        disabled = self.listen("*")
        self.json(self.pay(None, [("disabled", "true")], f"{ENDPOINTS}/{disabled['id']}"))
        gone = self.listen("*")
        self.json(self.psp.ask("DELETE", f"{ENDPOINTS}/{gone['id']}", self.account))
        self.json(self.pay(account=self.account + "other"))
        self.json(self.pay())
        self.wait_for(1, "delivered")
        self.assertEqual(self.receiver.types(), ["charge.succeeded"])
        self.assertEqual(len(self.deliveries()), 1)

    def test_any_2xx_acknowledges(self):
        self.listen("charge.succeeded")
        for count, status in enumerate((200, 201, 202, 204, 299), 1):
            self.receiver.answer = status
            self.json(self.pay())
            self.wait_for(count, "delivered")

    def test_nothing_else_does_and_a_redirect_is_not_followed(self):
        self.listen("charge.succeeded")
        for status in (301, 302, 307, 308, 400, 404, 410, 500, 503):
            self.receiver.got.clear()
            self.receiver.answer = (status, {"Location": self.receiver.url + "/moved"})
            self.json(self.pay())
            wait_until(lambda status=status: self.deliveries()[0]["last_status"] == status,
                       f"a {status}")
            self.assertEqual(self.deliveries()[0]["state"], "pending")
            self.assertEqual([d.path for d in self.receiver.got], ["/hooks"])

    def test_retries_wait_on_the_provider_s_clock(self):
        endpoint = self.listen("charge.succeeded")
        self.receiver.answer = 500
        self.json(self.pay())
        for attempt, wait in ((1, "10s"), (2, "20s"), (3, "40s")):
            seen = self.wait_for_attempts(attempt)
            now = self.psp.control("GET", "clock")["now_ms"]
            self.assertEqual(seen["next_attempt_ms"] - now, int(wait[:-1]) * 1000)
            self.psp.advance("9s")
            self.assertEqual(len(self.receiver.got), attempt)
            self.psp.advance(f"{int(wait[:-1]) - 9}s")
        self.wait_for_attempts(4)
        self.receiver.answer = 200
        self.psp.advance("80s")
        self.wait_for(1, "delivered")
        self.assertEqual(len({d.event["id"] for d in self.receiver.got}), 1)
        self.assertTrue(all(d.is_signed_with(endpoint["secret"]) for d in self.receiver.got))

    def test_a_signature_is_made_anew_for_every_attempt(self):
        self.listen("charge.succeeded")
        self.receiver.answer = 500
        self.json(self.pay())
        self.wait_for_attempts(1)
        first = signatures(self.receiver.got[0].signature)[0]
        wait_until(lambda: int(time.time()) > first, "the next second")
        self.psp.advance("10s")
        self.wait_for_attempts(2)
        self.assertGreater(signatures(self.receiver.got[1].signature)[0], first)

    def test_given_up_after_three_days_and_sent_again_by_hand(self):
        self.listen("charge.succeeded")
        self.receiver.answer = 500
        self.json(self.pay())
        count = 1
        while self.wait_for_attempts(count)["state"] == "pending":
            self.assertLess(count, 30)
            self.psp.advance("12h")
            count += 1
        self.assertGreaterEqual(count, 6)
        event = self.deliveries()[0]["event"]
        self.assertEqual(self.json(self.get("/v1/events/" + event))["pending_webhooks"], 0)
        self.receiver.answer = 200
        self.psp.control("POST", f"webhooks/{event}/resend", account=self.account)
        self.wait_for(1, "delivered")

    def test_resend_also_to_those_who_came_later(self):
        self.json(self.pay())
        event = self.json(self.get("/v1/events?type=charge.succeeded"))["data"][0]["id"]
        self.assertEqual(self.deliveries(), [])
        self.listen("charge.succeeded")
        for count in 1, 2:
            said = self.psp.control("POST", f"webhooks/{event}/resend", account=self.account)
            self.assertEqual([d["event"] for d in said["deliveries"]], [event])
            wait_until(lambda count=count: len(self.receiver.got) == count, f"{count} came")
            self.wait_for(1, "delivered")
        for account in self.account, None:
            answer = self.psp.ask("POST", "/_mock/webhooks/evt_none/resend", account)
            self.assertEqual(answer.status, 404)
        other = self.psp.ask("POST", f"/_mock/webhooks/{event}/resend", self.account + "other")
        self.assertEqual(other.status, 404)

    def test_nobody_listens_yet(self):
        port = self.receiver.port
        self.receiver.close()
        self.addCleanup(lambda: setattr(self.receiver, "close", lambda: None))
        self.listen("charge.succeeded")
        self.json(self.pay())
        seen = self.wait_for_attempts(1)
        self.assertIsNone(seen["last_status"])
        self.assertTrue(seen["last_error"])
        self.receiver = Receiver(port)
        self.addCleanup(self.receiver.close)
        self.psp.advance("10s")
        self.wait_for(1, "delivered")

    def answer_raw(self, words):
        """The URL of somebody who says WORDS to the first request, and then nothing more."""
        server = socket.create_server(("127.0.0.1", 0))
        kept = []

        def answer():
            kept.append(server.accept()[0])
            kept[0].recv(65536)
            kept[0].sendall(words)
        thread = threading.Thread(target=answer)
        thread.start()
        self.addCleanup(lambda: (thread.join(), kept[0].close(), server.close()))
        return f"http://127.0.0.1:{server.getsockname()[1]}/"

    def test_an_answer_without_its_headers_is_none(self):
        self.listen("charge.succeeded")
        self.receiver.answer = None
        self.json(self.pay())
        seen = self.wait_for_attempts(1)
        self.assertEqual(seen["state"], "pending")
        self.assertTrue(seen["last_error"])

    def test_a_body_that_breaks_off_or_hangs_changes_nothing(self):
        self.listen("charge.succeeded")
        self.listen("charge.succeeded",
                    url=self.answer_raw(b"HTTP/1.1 100 Continue\r\n\r\n"
                                        b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"))
        self.listen("payment_intent.created",
                    url=self.answer_raw(b"HTTP/1.1 503 No\r\nContent-Length: 9\r\n\r\n"))
        self.receiver.answer = 200, {"Content-Length": "100"}
        self.json(self.pay())
        self.wait_for(2, "delivered")
        failed = wait_until(lambda: [d for d in self.deliveries() if d["state"] == "pending"
                                     and d["attempts"]], "a failure")[0]
        self.assertEqual((failed["last_status"], failed["last_error"]), (503, None))

    def test_resend_while_it_is_under_way_sends_once_more(self):
        hold = {"on": True}
        self.receiver.answer = lambda _: wait_until(lambda: not hold["on"], "the end") and 200
        self.listen("charge.succeeded")
        self.json(self.pay())
        event = wait_until(lambda: self.receiver.got, "it is under way")[0].event["id"]
        self.psp.control("POST", f"webhooks/{event}/resend", account=self.account)
        hold["on"] = False
        wait_until(lambda: len(self.receiver.got) == 2, "it came twice")
        self.wait_for(1, "delivered")

    def test_events_by_whether_they_were_delivered(self):
        self.listen("charge.succeeded")
        self.receiver.answer = 500
        self.json(self.pay())
        self.wait_for_attempts(1)

        def types(success):
            page = self.json(self.get(f"/v1/events?delivery_success={success}"))
            return sorted(event["type"] for event in page["data"])
        self.assertEqual(types("false"), ["charge.succeeded"])
        self.assertEqual(types("true"), ["payment_intent.created", "payment_intent.succeeded"])
        self.receiver.answer = 200
        self.psp.advance("10s")
        self.wait_for(1, "delivered")
        self.assertEqual(types("true"), PAID)
        self.error(self.get("/v1/events?delivery_success=perhaps"), 400)

    def test_a_secret_rolls(self):
        endpoint = self.listen("charge.succeeded")
        rolled = self.psp.control("POST", f"webhooks/{endpoint['id']}/roll",
                                  {"expires": "1h"}, self.account)
        self.assertEqual(rolled["old_secret"], endpoint["secret"])
        self.json(self.pay())
        both = self.wait_for(1, "delivered")[-1]
        self.assertEqual(len(signatures(both.signature)[1]), 2)
        self.assertTrue(both.is_signed_with(endpoint["secret"]))
        self.assertTrue(both.is_signed_with(rolled["secret"]))
        self.psp.advance("1h")
        self.json(self.pay())
        new = self.wait_for(2, "delivered")[-1]
        self.assertEqual(len(signatures(new.signature)[1]), 1)
        self.assertTrue(new.is_signed_with(rolled["secret"]))
        bad = self.psp.ask("POST", f"/_mock/webhooks/{endpoint['id']}/roll", self.account,
                           "secret=nonsense")
        self.assertEqual(bad.status, 400)

    def test_one_that_answers_slowly_does_not_hold_up_the_others(self):
        slow = Receiver()
        self.addCleanup(slow.close)
        hold = {"on": True}
        slow.answer = lambda _: wait_until(lambda: not hold["on"], "the end") and 200
        self.listen("*", url=slow.url)
        self.listen("*")
        for _ in range(4):
            self.json(self.pay())
        self.wait_for(12, "delivered")
        self.assertEqual(len(self.receiver.got), 12)
        self.assertLessEqual(len(slow.got), 4)
        hold["on"] = False
        wait_until(lambda: self.psp.advance("1s") and len({d.event["id"] for d in slow.got}) == 12,
                   "the slow one has all")

    def test_a_reset_leaves_nothing_to_send(self):
        self.listen("charge.succeeded")
        self.receiver.answer = 500
        self.json(self.pay())
        self.wait_for_attempts(1)
        self.psp.control("POST", "reset", account=self.account)
        self.psp.advance("10s")
        self.assertEqual(self.deliveries(), [])
        self.assertEqual(len(self.receiver.got), 1)


class Official(WithReceiver):
    def test_stripe_s_own_verifier_in_python(self):
        try:
            import stripe
        except ImportError:
            raise unittest.SkipTest("no python3-stripe") from None
        endpoint = self.listen("*")
        self.json(self.pay())
        for delivery in self.wait_for(3, "delivered"):
            event = stripe.Webhook.construct_event(delivery.body, delivery.signature,
                                                   endpoint["secret"])
            self.assertEqual(event.id, delivery.event["id"])
            with self.assertRaises(stripe.error.SignatureVerificationError):
                stripe.Webhook.construct_event(delivery.body + b" ", delivery.signature,
                                               endpoint["secret"])


class Option(unittest.TestCase):
    """--webhook, restarts and kills."""

    def setUp(self):
        self.receiver = Receiver()
        self.addCleanup(self.receiver.close)

    def start(self, *options):
        psp = Mockpsp("--quiet", "--clock", "manual", "--db", "psp.db", *options)
        self.addCleanup(psp.clean)
        return psp

    def home(self):
        folder = tempfile.mkdtemp(prefix="psp-e2e.")
        self.addCleanup(shutil.rmtree, folder)
        return folder

    def pay(self, psp, account):
        self.assertEqual(psp.ask("POST", "/v1/payment_intents", account, PAYMENT).status, 200)

    def secret(self, psp):
        said = psp.process.stdout.readline().split()
        self.assertEqual(said[:2], ["webhooks", "to"])
        return said[-1]

    def wait_for(self, psp, count):
        wait_until(lambda: [d["state"] for d in psp.control("GET", "webhooks")["deliveries"]]
                   .count("delivered") == count, f"{count} delivered")

    def test_all_accounts_and_no_client_sees_it(self):
        psp = self.start("--webhook", self.receiver.url)
        secret = self.secret(psp)
        accounts = new_account(), new_account()
        for account in accounts:
            self.pay(psp, account)
            self.assertEqual(json.loads(psp.ask("GET", ENDPOINTS, account).body)["data"], [])
        self.wait_for(psp, 6)
        self.assertEqual(sorted(self.receiver.types()), sorted(2 * PAID))
        self.assertTrue(all(d.is_signed_with(secret) for d in self.receiver.got))
        seen = psp.control("GET", "webhooks", account=accounts[0])
        self.assertEqual(len(seen["deliveries"]), 3)
        self.assertEqual(seen["endpoints"][0]["url"], self.receiver.url)

    def test_several_of_them(self):
        other = Receiver()
        self.addCleanup(other.close)
        psp = self.start("--webhook", self.receiver.url, "--webhook", other.url)
        secrets = self.secret(psp), self.secret(psp)
        self.assertNotEqual(*secrets)
        self.pay(psp, new_account())
        self.wait_for(psp, 6)
        for receiver, secret in zip((self.receiver, other), secrets):
            self.assertEqual(sorted(receiver.types()), PAID)
            self.assertTrue(all(d.is_signed_with(secret) for d in receiver.got))
        psp.stop()
        psp.options = psp.options[:-2]
        psp.restart()
        self.assertEqual(self.secret(psp), secrets[0])
        urls = [one["url"] for one in psp.control("GET", "webhooks")["endpoints"]]
        self.assertEqual(urls, [self.receiver.url])

    def test_the_secret_can_be_given(self):
        psp = self.start("--webhook", self.receiver.url, "--webhook-secret", "whsec_mine")
        self.assertEqual(self.secret(psp), "whsec_mine")
        self.pay(psp, new_account())
        self.wait_for(psp, 3)
        self.assertTrue(all(d.is_signed_with("whsec_mine") for d in self.receiver.got))

    def test_a_kill_forgets_nothing(self):
        self.receiver.answer = 500
        psp = self.start("--webhook", self.receiver.url)
        secret = self.secret(psp)
        self.pay(psp, new_account())
        psp.kill()
        self.receiver.answer = 200
        psp.restart()
        self.assertEqual(self.secret(psp), secret)
        psp.advance("10s")
        self.wait_for(psp, 3)
        self.assertEqual(sorted(set(self.receiver.types())), PAID)

    def test_committed_but_killed_before_the_answer(self):
        psp = self.start("--webhook", self.receiver.url)
        psp.faults(("after_commit", "crash_psp"))
        self.secret(psp)
        try:
            psp.ask("POST", "/v1/payment_intents", new_account(), PAYMENT)
        except Exception:  # it dies: how that looks from here is of no interest
            pass
        psp.process.wait()
        psp.restart()
        self.wait_for(psp, 3)

    def test_on_a_real_clock_a_retry_comes_by_itself(self):
        self.receiver.answer = 500
        psp = Mockpsp("--quiet", "--webhook", self.receiver.url)
        self.addCleanup(psp.clean)
        self.pay(psp, new_account())
        wait_until(lambda: len(psp.control("GET", "webhooks")["deliveries"]) == 3 and all(
            d["attempts"] == 1 for d in psp.control("GET", "webhooks")["deliveries"]), "attempts")
        self.receiver.answer = 200
        psp.advance("9s")
        self.wait_for(psp, 3)

    def test_it_ends_at_once_though_somebody_hangs(self):
        hold = {"on": True}
        self.receiver.answer = lambda _: wait_until(lambda: not hold["on"], "the end") and 200
        psp = self.start("--webhook", self.receiver.url)
        self.pay(psp, new_account())
        wait_until(lambda: len(self.receiver.got) == 3, "all are under way")
        self.assertEqual(psp.stop(), 0)
        hold["on"] = False

    def test_a_receiver_with_a_certificate_of_its_own(self):
        cert, key = (os.path.join(self.home(), name) for name in ("cert.pem", "key.pem"))
        made = subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj",
             "/CN=localhost", "-keyout", key, "-out", cert], capture_output=True, check=False)
        self.assertEqual(made.returncode, 0, made.stderr)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(cert, key)
        secure = Receiver(context=context)
        self.addCleanup(secure.close)
        psp = self.start("--webhook", secure.url)
        self.pay(psp, new_account())
        self.wait_for(psp, 3)
        self.assertEqual(sorted(secure.types()), PAID)

    def test_a_webhook_never_controls(self):
        psp = self.start("--webhook-any-host")
        account = new_account()
        params = [("url", f"http://0.0.0.0:{psp.port}/_mock/reset"), ("enabled_events[]", "*")]
        self.assertEqual(psp.ask("POST", ENDPOINTS, account, params).status, 200)
        self.pay(psp, account)
        wait_until(lambda: [d["last_status"] for d in psp.control("GET", "webhooks")["deliveries"]]
                   == [403] * 3, "all are refused")

    def test_without_the_option_it_is_gone(self):
        psp = self.start("--webhook", self.receiver.url)
        psp.stop()
        psp.options = psp.options[:-2]
        psp.restart()
        self.assertEqual(psp.control("GET", "webhooks")["endpoints"], [])

    def test_usage(self):
        url = self.receiver.url
        for options, word in ((("--webhook-secret", "whsec_x"), "needs --webhook"),
                              (("--webhook", url, "--webhook-secret", "x"), "whsec_"),
                              (("--webhook", "nonsense"), "URL"), (("--webhook", "ftp://x"), "http"),
                              (("--webhook", "http://example.com/"), "--webhook-any-host"),
                              (("--webhook", url, "--webhook", "http://example.com/"), "any-host"),
                              (("--webhook", "http://127.0.0.1:12111/_mock/reset"), "control plane"),
                              (("--webhook", url, "--webhook", url), "twice"),
                              (sum((("--webhook", f"{url}{n}") for n in range(17)), ()), "16 times")):
            psp = Mockpsp(*options, must_start=False)
            self.assertEqual(psp.process.wait(), 2, options)
            self.assertIn(word, psp.stderr())
            psp.clean()


if __name__ == "__main__":
    main()
