#!/usr/bin/python3
"""A job that pays one order once and listens to webhooks, but for one mistake: --mistake NAME

To Listener a webhook is a hint that there is something to ask about, and nothing else: it may come
late, twice, in no order, never, or from somebody else. Once its order is paid it ships it, which it
says in a line of its own. Each class below it makes a mistake that real code makes. For the scenarios
in scenarios/webhooks; the rest is as in careless.py.
"""
import hashlib
import hmac
import http.server
import json
import os
import queue
import sys
import threading
import time
import uuid

sys.dont_write_bytecode = True
from careless import play  # noqa: E402
from careless_job import Job, NoAnswer  # noqa: E402

TOLD_OF = ("payment_intent.created", "payment_intent.succeeded", "payment_intent.payment_failed")


def listen(take):
    """A server; TAKE(body, signature) has each webhook, and says whether it is one."""
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):  # noqa: N802
            body = self.rfile.read(int(self.headers["Content-Length"]))
            good = take(body, self.headers["Stripe-Signature"])
            self.send_response(200 if good else 400)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_args):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


class Listener(Job):
    patience = 1.0  # seconds, for a webhook

    def __init__(self):
        super().__init__()
        self.events = queue.Queue()
        self.secret = self.endpoint = None

    def run(self):
        server = listen(self.take)
        try:
            self.register(f"http://127.0.0.1:{server.server_port}/")
            return super().run()
        except NoAnswer as error:
            print(error, file=sys.stderr)
            return self.record
        finally:
            self.forget()

    def register(self, url):
        answer = self.call("POST", "/v1/webhook_endpoints", [
            ("url", url), *(("enabled_events[]", name) for name in TOLD_OF)])
        if answer.status != 200:
            raise NoAnswer(f"{answer.status} instead of an endpoint")
        made = answer.json()
        self.endpoint, self.secret = made["id"], made["secret"]

    def forget(self):
        """The next run has an endpoint of its own."""
        try:
            if self.endpoint is not None:
                self.call("DELETE", f"/v1/webhook_endpoints/{self.endpoint}")
        except NoAnswer as error:
            print(error, file=sys.stderr)

    def take(self, body, signature):
        if not self.is_signed(body, signature):
            return False
        event = json.loads(body)
        if event["data"]["object"]["metadata"].get("order_id") == self.order:
            self.events.put(event)
        return True

    def is_signed(self, body, signature):
        fields = [part.split("=", 1) for part in (signature or "").split(",") if "=" in part]
        at = dict(fields).get("t", "")
        wanted = hmac.new(self.secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
        return any(name == "v1" and hmac.compare_digest(value, wanted) for name, value in fields)

    def attempt(self):
        super().attempt()
        if self.record["state"] == "pending":
            self.listen_a_while()

    def listen_a_while(self):
        try:
            self.told(self.events.get(timeout=self.patience))
        except queue.Empty:
            self.not_told()

    def told(self, _event):
        self.doubt = self.ask_first = True

    def not_told(self):
        self.doubt = self.ask_first = True

    # --- what is done because it is paid

    def paid(self, payment=None):
        super().paid(payment)
        self.ship()

    def ship(self, event=None):
        """Once: the file is as a row that only one can insert, whoever else comes at the moment."""
        try:
            self.file.with_suffix(".shipped").touch(exist_ok=False)
        except FileExistsError:
            return
        self.shipped(event)

    def shipped(self, event=None, **more):
        line = {"order": self.order, "effect": "shipped", **more}
        said = json.dumps({**line, "event": event["id"]} if event else line)
        os.write(1, (said + "\n").encode())  # in one piece: two threads may say it at once

    def believe(self, event):
        """What the careful one never does."""
        payment = event["data"]["object"]
        if event["type"] == "payment_intent.succeeded":
            self.paid(payment["id"])
        elif event["type"] == "payment_intent.payment_failed":
            self.failed(payment["id"])


class unsigned_is_believed(Listener):
    """the signature is not checked, and what the webhook says is so"""
    def is_signed(self, _body, _signature):
        return True

    def listen_a_while(self):
        try:
            while self.record["state"] == "pending":
                self.believe(self.events.get(timeout=self.patience))
        except queue.Empty:
            self.not_told()

    def ship(self, event=None):
        pass  # somebody else does: one mistake at a time


class no_event_is_failure(Listener):
    """no webhook in time is taken for failed"""
    def not_told(self):
        self.failed()


class last_event_wins(Listener):
    """whatever webhook came last is how things stand"""
    def listen_a_while(self):
        payment = None
        try:
            while True:
                payment = self.events.get(timeout=self.patience)["data"]["object"]
        except queue.Empty:
            pass
        if payment is not None and payment["status"] == "succeeded":
            self.paid(payment["id"])
        elif payment is not None:
            self.failed(payment["id"])


class every_event_is_new(Listener):
    """a webhook says that the payment failed: try another one, each time that it is said"""
    def told(self, event):
        said = [event]
        try:
            while True:
                said.append(self.events.get(timeout=self.patience))
        except queue.Empty:
            pass
        for each in said:
            if each["type"] == "payment_intent.payment_failed":
                self.made = str(uuid.uuid4())
                self.answered(self.pay())

    def key(self):
        return getattr(self, "made", None) or super().key()


class unknown_event_is_dropped(Listener):
    """a webhook about a payment that is not known yet is for somebody else, and nobody asks"""
    sent = False

    def step(self):
        if not self.doubt and not self.sent:
            self.sent = True
            self.answered(self.pay())

    def told(self, _event):
        pass  # its payment's id would have been in the answer

    def not_told(self):
        pass


# --- mistakes about what is done for a webhook ----------------------------------------------------

class Hasty(Listener):
    """Ships when a webhook says that it is paid, and not when the answer does."""
    def take(self, body, signature):
        good = super().take(body, signature)
        event = json.loads(body)
        if good and event["data"]["object"]["metadata"].get("order_id") == self.order:
            self.heard(event)
        return good

    def heard(self, event):
        if event["type"] == "payment_intent.succeeded":
            self.ship(event)

    def paid(self, payment=None):
        Job.paid(self, payment)


class looks_then_ships(Hasty):
    """is it shipped already? no: ship it, and note that. Two at the same moment both find no"""
    def ship(self, event=None):
        noted = self.file.with_suffix(".shipped")
        if not noted.exists():
            time.sleep(0.1)  # a parcel service is called
            self.shipped(event)
            noted.touch()


class forged_is_shipped(Hasty):
    """the signature is not checked before the order is shipped"""
    def is_signed(self, _body, _signature):
        return True

    def told(self, _event):
        pass  # whether it is paid is asked elsewhere

    def not_told(self):
        self.doubt = self.ask_first = True


class older_event_undoes(Hasty):
    """a webhook says that the payment has just begun: so it cannot be shipped, back with it"""
    def heard(self, event):
        super().heard(event)
        if event["type"] == "payment_intent.created" and \
                self.file.with_suffix(".shipped").exists():
            self.shipped(event, undone=True)


class answer_ships_too(Hasty):
    """who has the answer ships, and who has the webhook: each has a note of its own"""
    def paid(self, payment=None):
        super().paid(payment)
        self.shipped()


class shipping_is_noted_later(Hasty):
    """that it is shipped is remembered, and written down when the job ends"""
    note = False

    def ship(self, event=None):
        if not self.note:
            self.note = True
            self.shipped(event)

    def paid(self, payment=None):
        super().paid(payment)
        self.ship()


def mistakes_of(kind):
    return {name: found for each in kind.__subclasses__() for name, found in
            (mistakes_of(each) if each is Hasty else {each.__name__: each}).items()}


MISTAKES = mistakes_of(Listener)

if __name__ == "__main__":
    sys.exit(play(Listener, MISTAKES))
