"""For tests of psp-harness that look at what it leaves behind."""
import os
import shutil
import subprocess
import tempfile
import time
import unittest
import uuid

PSP_HARNESS = os.environ["PSP_HARNESS"]
SOURCE_DIR = os.environ["SOURCE_DIR"]
PATIENCE = 60  # seconds; for what is sure to come

# Pays its order in a way that nothing is to be said against.
PAYS = """curl -s -o /dev/null -u "$PSP_API_KEY:" -H "Idempotency-Key: $ORDER_ID" \
"$PSP_URL/v1/payment_intents" -d "amount=$ORDER_AMOUNT" -d "currency=$ORDER_CURRENCY" \
-d payment_method=pm_card_visa -d confirm=true -d "metadata[order_id]=$ORDER_ID" """


class HarnessCase(unittest.TestCase):
    """Its boxes are in a directory of their own, and its processes carry a mark that every process
    of the run inherits: harness, worlds, providers, keepers, and whatever a client starts."""

    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="psp-test.")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.boxes = os.path.join(self.home, "boxes")
        os.mkdir(self.boxes)
        self.mark = uuid.uuid4().hex
        self.env = dict(os.environ, TMPDIR=self.boxes, HOSTILE_MARK=self.mark, HOME=self.home)

    def write(self, name, text, mode=0o755):
        path = os.path.join(self.home, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, mode)
        return path

    def scenario(self, fields="title = 'plain'", name="plain.lua"):
        return self.write(name, "return scenario {\n" + fields + "\n}\n")

    def run_harness(self, *words):
        """Status, and all that it said."""
        ended = subprocess.run([PSP_HARNESS, "run", *words], cwd=self.home, env=self.env,
                               stdin=subprocess.DEVNULL, capture_output=True, text=True,
                               timeout=PATIENCE * 2, check=False)
        return ended.returncode, ended.stdout + ended.stderr

    def processes(self):
        """Who carries the mark, with their command lines. A port is as open as its process lives."""
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/environ", "rb") as file:
                    marked = b"HOSTILE_MARK=" + self.mark.encode() in file.read()
                with open(f"/proc/{pid}/cmdline", "rb") as file:
                    command = file.read()
            except OSError:
                continue
            if marked:
                found.append((pid, command))
        return found

    def expect_nobody(self):
        deadline = time.monotonic() + PATIENCE
        while self.processes() and time.monotonic() < deadline:
            time.sleep(0.005)
        self.assertEqual(self.processes(), [])

    def empty_boxes(self):
        subprocess.run(["rm", "-rf", self.boxes], check=True)
        os.mkdir(self.boxes)

    def expect_only_boxes_that_are_named(self, said):
        for box in os.listdir(self.boxes):
            self.assertIn(os.path.join(self.boxes, box), said)
