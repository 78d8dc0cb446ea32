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

# Has its first answer, all of it (what is left unread would reset the connection), writes its second
# request, and is gone before anybody can have read it.
SENDS_AND_LEAVES = """\
    import http.client, os, socket, urllib.parse
    address = urllib.parse.urlsplit(os.environ["PSP_URL"])
    sock = socket.create_connection((address.hostname, address.port))
    head = "Host: x\\r\\nAuthorization: Bearer " + os.environ["PSP_API_KEY"] + "\\r\\n"
    sock.sendall(f"GET /v1/nothing HTTP/1.1\\r\\n{head}\\r\\n".encode())
    answer = http.client.HTTPResponse(sock)
    answer.begin()
    answer.read()
    body = urllib.parse.urlencode({
        "amount": os.environ["ORDER_AMOUNT"], "currency": os.environ["ORDER_CURRENCY"],
        "payment_method": "pm_card_visa", "confirm": "true"})
    head += "Content-Type: application/x-www-form-urlencoded\\r\\n"
    sock.sendall(f"POST /v1/payment_intents HTTP/1.1\\r\\n{head}"
                 f"Content-Length: {len(body)}\\r\\n\\r\\n{body}".encode())
    os._exit(1)
"""

# Cannot write what it has to remember, and takes that for a failure of the payment.
FILLS_THE_DISK = """\
    import os, sys
    try:
        with open(os.path.join(os.environ["STATE_DIR"], "big"), "wb", buffering=0) as file:
            while True:
                file.write(bytes(65536))
    except OSError as error:
        sys.exit(f"{error}")
"""

PAYS = """\
    import os, sys, urllib.parse, urllib.request
    request = urllib.request.Request(
        os.environ["PSP_URL"] + "/v1/payment_intents",
        urllib.parse.urlencode({
            "amount": os.environ["ORDER_AMOUNT"], "currency": os.environ["ORDER_CURRENCY"],
            "payment_method": "pm_card_visa", "confirm": "true"}).encode(),
        {"Authorization": "Bearer " + os.environ["PSP_API_KEY"]})
    try:
        urllib.request.urlopen(request, timeout=5).read()
    except OSError:
        sys.exit(1)
"""

ON_A_SMALL_DISK = 'mount -t tmpfs -o "size=$SIZE" none "$TMPDIR" && exec "$@"'


def can_mount():
    return shutil.which("unshare") is not None and subprocess.run(
        ["unshare", "-m", "sh", "-c", 'mount -t tmpfs none /mnt'],
        capture_output=True, check=False).returncode == 0


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

    def test_what_nobody_can_read_is_no_pass(self):
        for words in (["run", EVERYTHING_WORKS], ["run", "--format", "json", EVERYTHING_WORKS],
                      ["list"], ["--help"], ["--version"]):
            client = ["--", "sh", "-c", "exit 0"] if words[0] == "run" else []
            with open("/dev/full", "w", encoding="utf-8") as full:
                ended = subprocess.run(
                    [PSP_HARNESS, *words, *client], stdout=full, stderr=subprocess.PIPE, text=True,
                    check=False, env={**os.environ, "TMPDIR": self.home})
            self.assertEqual(ended.returncode, ERROR, words)
            self.assertIn("standard output cannot be written", ended.stderr)

    def test_a_list_of_nothing_is_a_mistake(self):
        status, said = self.run_harness("list", "nosuch")
        self.assertEqual(status, USAGE, said)
        self.assertIn("no scenario 'nosuch'", said)

    def on_a_small_disk(self, size, client, *options):
        disk = os.path.join(self.home, "disk")
        path = os.path.join(self.home, "client.py")
        os.makedirs(disk, exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(textwrap.dedent(client))
        ended = subprocess.run(
            ["unshare", "-m", "sh", "-c", ON_A_SMALL_DISK, "sh", PSP_HARNESS, "run", *options,
             EVERYTHING_WORKS, "--", "/usr/bin/python3", path],
            capture_output=True, text=True, check=False,
            env={**os.environ, "TMPDIR": disk, "SIZE": size})
        return ended.returncode, ended.stdout + ended.stderr

    @unittest.skipUnless(can_mount(), "nothing can be mounted here")
    def test_a_full_disk_is_not_the_clients_fault(self):
        status, said = self.on_a_small_disk("4m", FILLS_THE_DISK)
        self.assertEqual(status, ERROR, said)
        self.assertIn("no space left", said.lower())
        failed = 0
        for kilobytes in (8, 64, 256, 320, 384, 448, 512, 640, 768):
            status, said = self.on_a_small_disk(f"{kilobytes}k", PAYS, "--orders", "100")
            self.assertIn(status, (PASS, ERROR), f"{kilobytes}k: {said}")
            failed += status == ERROR
        self.assertGreater(failed, 0)


if __name__ == "__main__":
    unittest.main()
