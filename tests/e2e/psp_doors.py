"""The ways into the provider: TLS, a Unix socket, a control plane of its own, its token."""
import http.client
import json
import os
import shutil
import socket
import ssl
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, main  # noqa: E402
from raw_http import request  # noqa: E402


def make_certificate(home):
    """As --help says."""
    cert, key = os.path.join(home, "cert.pem"), os.path.join(home, "key.pem")
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "30",
                    "-subj", "/CN=localhost", "-addext",
                    "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", cert],
                   check=True, capture_output=True)
    return cert, key


class Doors(unittest.TestCase):
    def start(self, *options, must_start=True):
        psp = Mockpsp("--quiet", *options, must_start=must_start)
        self.addCleanup(psp.clean)
        return psp

    def home(self):
        home = tempfile.mkdtemp(prefix="psp-doors.")
        self.addCleanup(shutil.rmtree, home)
        return home

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_tls(self):
        cert, key = make_certificate(self.home())
        psp = Mockpsp("--quiet", "--tls-cert", cert, "--tls-key", key, must_start=False)
        self.addCleanup(psp.clean)
        self.assertRegex(psp.ready, r"^mockpsp listening on https://127\.0\.0\.1:\d+\n$")
        port = int(psp.ready.rsplit(":", 1)[1])
        trust = ssl.create_default_context(cafile=cert)
        for _ in range(2):
            connection = http.client.HTTPSConnection("127.0.0.1", port, context=trust, timeout=20)
            connection.request("POST", "/v1/charges", "amount=500&currency=usd",
                               {"Authorization": "Bearer sk_test_tls"})
            answer = connection.getresponse()
            self.assertEqual(answer.status, 200)
            self.assertEqual(json.loads(answer.read())["amount"], 500)
            connection.close()
        with socket.create_connection(("127.0.0.1", port), timeout=20) as plain:
            plain.sendall(b"GET /_mock/health HTTP/1.1\r\nHost: x\r\n\r\n")
            self.assertNotIn(b"200 OK", plain.recv(1000))

    @unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
    def test_tls_that_cannot_be(self):
        home = self.home()
        cert, key = make_certificate(home)
        other = os.path.join(home, "other")
        os.mkdir(other)
        _, wrong_key = make_certificate(other)
        text = os.path.join(home, "text")
        with open(text, "w", encoding="ascii") as file:
            file.write("hello")
        for options, status, word in (
                (["--tls-cert", cert], 2, "--tls-key"), (["--tls-key", key], 2, "--tls-cert"),
                (["--tls-cert", cert, "--tls-key", wrong_key], 4, "--tls-key"),
                (["--tls-cert", text, "--tls-key", key], 4, "no PEM file"),
                (["--tls-cert", home + "/none", "--tls-key", key], 4, "cannot read")):
            with self.subTest(options=options):
                psp = Mockpsp("--quiet", *options, must_start=False)
                self.assertEqual(psp.process.wait(20), status)
                self.assertIn(word, psp.stderr())
                psp.clean()

    def test_a_unix_socket(self):
        path = os.path.join(self.home(), "psp.sock")
        psp = self.start("--socket", path)
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(20)
            connection.connect(path)
            connection.sendall(request("POST", "/v1/payment_intents", "sk_test_unix", PAYMENT))
            self.assertIn(b"200 OK", connection.recv(65536))
        self.assertEqual(len(psp.charges("sk_test_unix")), 1)
        psp.stop()
        self.assertFalse(os.path.exists(path))

    def test_a_unix_socket_that_is_taken_or_left_behind(self):
        path = os.path.join(self.home(), "psp.sock")
        first = self.start("--socket", path)
        second = Mockpsp("--quiet", "--socket", path, must_start=False)
        self.assertEqual(second.process.wait(20), 4)
        self.assertIn(path, second.stderr())
        second.clean()
        first.kill()
        self.assertTrue(os.path.exists(path))
        self.start("--socket", path)
        with open(path + ".txt", "w", encoding="ascii") as file:
            file.write("mine")
        third = Mockpsp("--quiet", "--socket", path + ".txt", must_start=False)
        self.assertEqual(third.process.wait(20), 4)
        third.clean()
        with open(path + ".txt", encoding="ascii") as file:
            self.assertEqual(file.read(), "mine")

    def test_a_control_plane_of_its_own(self):
        psp = self.start("--control-port", "0")
        line = psp.process.stdout.readline()
        self.assertRegex(line, r"^control plane on http://127\.0\.0\.1:\d+\n$")
        api, control = psp.port, int(line.rsplit(":", 1)[1])
        self.assertEqual(psp.ask("GET", "/_mock/health").status, 404)
        self.assertEqual(psp.ask("GET", "/v1/charges", "sk_test_x").status, 200)
        psp.port = control
        self.assertEqual(psp.ask("GET", "/_mock/health").status, 200)
        self.assertEqual(psp.ask("GET", "/v1/charges", "sk_test_x").status, 404)
        self.assertEqual(psp.journal("sk_test_x")[0]["kind"], "invoke")
        psp.port = api

    def test_a_token(self):
        psp = self.start("--control-token", "open sesame")
        for headers in ((), [("X-Mock-Token", "open")], [("X-Mock-Token", "open sesamE")],
                        [("X-Mock-Token", "open sesame ")[:1] + ("open sesame!",)]):
            self.assertEqual(psp.ask("GET", "/_mock/ledger", headers=headers).status, 403)
            self.assertEqual(psp.ask("POST", "/_mock/reset", headers=headers).status, 403)
        good = [("x-mock-token", "open sesame")]
        self.assertEqual(psp.ask("GET", "/_mock/ledger", headers=good).status, 200)
        short = Mockpsp("--quiet", "--control-token", "short", must_start=False)
        self.assertEqual(short.process.wait(20), 2)
        short.clean()


if __name__ == "__main__":
    main()
