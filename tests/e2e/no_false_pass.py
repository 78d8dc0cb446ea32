"""Clients that are wrong, or prove nothing, and that a careless judge would let pass."""
import os
import shutil
import subprocess
import tempfile
import textwrap
import unittest

PSP_HARNESS = os.environ["PSP_HARNESS"]
SOURCE_DIR = os.environ["SOURCE_DIR"]
EVERYTHING_WORKS = os.path.join(SOURCE_DIR, "scenarios", "a00_everything_works.lua")

PASS, FAIL, USAGE, INCONCLUSIVE, ERROR = 0, 1, 2, 3, 4

# Has its first answer, writes its second request, and is gone before anybody can have read it.
SENDS_AND_LEAVES = """\
    import os, socket, urllib.parse
    address = urllib.parse.urlsplit(os.environ["PSP_URL"])
    sock = socket.create_connection((address.hostname, address.port))
    head = "Host: x\\r\\nAuthorization: Bearer " + os.environ["PSP_API_KEY"] + "\\r\\n"
    sock.sendall(f"GET /v1/nothing HTTP/1.1\\r\\n{head}\\r\\n".encode())
    sock.recv(65536)
    body = urllib.parse.urlencode({
        "amount": os.environ["ORDER_AMOUNT"], "currency": os.environ["ORDER_CURRENCY"],
        "payment_method": "pm_card_visa", "confirm": "true"})
    head += "Content-Type: application/x-www-form-urlencoded\\r\\n"
    sock.sendall(f"POST /v1/payment_intents HTTP/1.1\\r\\n{head}"
                 f"Content-Length: {len(body)}\\r\\n\\r\\n{body}".encode())
    os._exit(1)
"""


class NoFalsePass(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="psp-test.")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def run_harness(self, *words, **variables):
        ended = subprocess.run(
            [PSP_HARNESS, *words], capture_output=True, text=True, check=False,
            env={**os.environ, "TMPDIR": self.home, **variables})
        return ended.returncode, ended.stdout + ended.stderr

    def run_client(self, body, *options):
        path = os.path.join(self.home, "client.py")
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(body))
        return self.run_harness("run", *options, EVERYTHING_WORKS, "--", "/usr/bin/python3", path)

    def test_what_the_provider_has_not_read_yet_counts(self):
        for _ in range(40):
            status, said = self.run_client(SENDS_AND_LEAVES, "--orders", "1")
            self.assertEqual(status, FAIL, said)
            self.assertIn("failure_is_not_charged", said)


if __name__ == "__main__":
    unittest.main()
