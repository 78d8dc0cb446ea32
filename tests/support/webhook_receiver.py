"""Somebody who is told: an HTTP server that keeps what it gets and answers as the test says.

As a program (`webhook_receiver.py PORT SEED CHANCE FILE`) it fails by chance and writes what it has
acknowledged to FILE, a line each, before it acknowledges it."""
import hashlib
import hmac
import http.server
import json
import random
import sys
import threading


def signatures(header):
    """The time and the list of v1 of a Stripe-Signature header."""
    pairs = [part.split("=", 1) for part in header.split(",")]
    return int(dict(pairs)["t"]), [value for name, value in pairs if name == "v1"]


def signed(secret, at, body):
    """What v1 has to be."""
    return hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()


class Delivery:
    """One request that came."""

    def __init__(self, path, headers, body):
        self.path = path
        self.headers = headers
        self.body = body
        self.event = json.loads(body)

    @property
    def signature(self):
        return self.headers["stripe-signature"]

    def is_signed_with(self, secret):
        at, values = signatures(self.signature)
        return signed(secret, at, self.body) in values


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True
    request_queue_size = 64

    def handle_error(self, request, client_address):
        """A peer that was killed is no news."""


def serve(port, answer):
    """A server on PORT (0: any free one). ANSWER(delivery) is a status, or one with headers
    (a Content-Length among them is a promise that is not kept), or None: the connection ends."""

    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_POST(self):  # noqa: N802
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name.lower(): value for name, value in self.headers.items()}
            said = answer(Delivery(self.path, headers, body))
            if said is None:
                self.close_connection = True
                return
            status, more = said if isinstance(said, tuple) else (said, {})
            self.send_response(status)
            for name, value in more.items():
                self.send_header(name, value)
            if "Content-Length" in more:
                self.close_connection = True
            elif status != 204:
                self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    return _Server(("127.0.0.1", port), Handler)


class Receiver:
    """A server in a thread. `answer` may be changed at any time; `got` is all that came."""

    def __init__(self, port=0, context=None):
        self.got = []
        self.answer = 200
        self.server = serve(port, self._take)
        self.port = self.server.server_address[1]
        if context is not None:
            self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.url = f"http{'s' if context else ''}://127.0.0.1:{self.port}/hooks"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.02,))
        self.thread.start()

    def _take(self, delivery):
        self.got.append(delivery)
        return self.answer(delivery) if callable(self.answer) else self.answer

    def types(self):
        return [delivery.event["type"] for delivery in self.got]

    def close(self):
        self.server.shutdown()
        self.thread.join()
        self.server.server_close()


def main(port, seed, chance, path):
    """Fails with CHANCE, in one of several ways; else writes first and acknowledges then."""
    rng = random.Random(seed)
    lock = threading.Lock()
    out = open(path, "a", encoding="utf-8")

    def answer(delivery):
        with lock:
            if rng.random() < float(chance):
                return rng.choice((500, 503, 404, (302, {"Location": "/elsewhere"})))
            out.write(json.dumps({"event": delivery.event["id"], "body": delivery.body.decode(),
                                  "signature": delivery.signature}) + "\n")
            out.flush()
            return rng.choice((200, 201, 204))

    server = serve(int(port), answer)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(*sys.argv[1:])
