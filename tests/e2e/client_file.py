"""`psp-harness run --client FILE.lua`: what a client file may say, and what it does."""
import os
import shutil
import subprocess
import tempfile
import unittest

PSP_HARNESS = os.environ["PSP_HARNESS"]
SOURCE_DIR = os.environ["SOURCE_DIR"]
CLIENTS = os.path.join(SOURCE_DIR, "scenarios", "clients")
PATIENCE = 120  # seconds; for what is sure to come

PAY = """#!/bin/sh
[ "$GREETING" = "${1:-}" ] || exit 7
curl -sS -m 5 -u "$PSP_API_KEY:" -H "Idempotency-Key: $ORDER_ID" -d amount="$ORDER_AMOUNT" \
    -d currency="$ORDER_CURRENCY" -d payment_method=pm_card_visa -d confirm=true \
    -d "metadata[order_id]=$ORDER_ID" -f "$PSP_URL/v1/payment_intents" || exit 75
"""


class ClientFileTest(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="psp-test.")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        self.boxes = os.path.join(self.home, "boxes")
        os.mkdir(self.boxes)

    def write(self, name, text):
        path = os.path.join(self.home, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(path, 0o755)
        return path

    def run_harness(self, *args):
        return subprocess.run([PSP_HARNESS, "run", *args], cwd=self.home,
                              env=dict(os.environ, TMPDIR=self.boxes), stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE, check=False)

    def play(self, client, fields="title = 'as it is'", *options):
        """The verdict of one scenario with these FIELDS, and what was printed of it."""
        scenario = self.write("s.lua", "return scenario {\n" + fields + "\n}\n")
        done = self.run_harness(scenario, "--client", client, *options)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout

    def client(self, fields, name="client.lua"):
        return self.write(name, "return client {\n" + fields + "\n}\n")

    def refused(self, text, why):
        """A client file that cannot be used is told with file, line and remedy, exit 2."""
        done = self.run_harness("--client", self.write("bad.lua", text), self.write(
            "s.lua", "return scenario { title = 'never played' }"))
        self.assertIn(why, done.stderr)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stdout, "")


class Reading(ClientFileTest):
    def test_a_command_is_what_stands_after_the_dashes(self):
        self.write("pay.sh", PAY)
        status, out = self.play(self.client("command = { './pay.sh' }"), "orders = 2")
        self.assertEqual(status, 0, out)

    def test_directory_and_environment(self):
        self.write("app/pay.sh", PAY)
        self.write("app/.env", "# of the app\n\nexport OTHER=1\nGREETING=\"good day\"\r\n")
        fields = ("command = { './pay.sh', '%s' }, directory = 'app',"
                  "environment_file = 'app/.env',")
        self.assertEqual(self.play(self.client(fields % "good day"))[0], 0)
        self.assertEqual(self.play(self.client(
            fields % "order_1 says hello" + "environment = { GREETING = '{order} says hello' }"))[0],
            0, "what the file says counts for more")
        self.assertEqual(self.play(self.client(fields % "no"))[0], 3, "it has to have been compared")

    def test_require(self):
        self.write("pay.sh", PAY)
        self.write("lib/common.lua", "return { pay = { './pay.sh' } }")
        client = self.write("c.lua", "return client { command = require('lib.common').pay }")
        self.assertEqual(self.play(client)[0], 0)

    def test_mistakes(self):
        self.refused("return 1", "bad.lua: a client file ends with: return client {")
        self.refused("return client 'x'", "bad.lua:1: client takes a table")
        self.refused("\nreturn client { comand = { 'x' } }",
                     "bad.lua:2: a client has no field 'comand' (did you mean command?)")
        self.refused("return client {}", "bad.lua:1: a client is made of something")
        self.refused("return client { command = 'x' }", "command is a list of text")
        self.refused("return client { command = {} }", "command is a list of text")
        self.refused("return client { command = { 'x', {} } }", "command: word 2 is no text")
        self.refused("return client { command = { '' } }", "word 1 is empty, and names no program")
        self.refused("return client { command = { 'x' }, processes = 0 }", "from 1 to 10")
        self.refused("return client { command = { 'x' }, directory = 'nowhere' }",
                     "directory: there is no " + os.path.join(self.home, "nowhere"))
        self.refused("return client { command = { 'x' }, directory = 'bad.lua' }",
                     "is no directory")
        self.refused("return client { command = { 'x' }, environment = { 1 } }",
                     "environment: names and values are text")
        self.write("broken.env", "GOOD=1\nbad line\n")
        self.refused("return client { command = { 'x' }, environment_file = 'broken.env' }",
                     "broken.env:2: this is not NAME=value")
        self.refused("while true do end", "does not come back")
        self.refused("return client { command = { os.getenv 'HOME' } }", "bad.lua:1: ")
        self.refused("return client {", "bad.lua:1: ")

    def test_the_file_is_missing_or_one_too_many(self):
        done = self.run_harness("s.lua", "--client", "none.lua")
        self.assertEqual((done.returncode, "none.lua" in done.stderr), (2, True), done.stderr)
        done = self.run_harness("s.lua", "--client", "none.lua", "--", "./pay.sh")
        self.assertEqual(done.returncode, 2)
        self.assertIn("two clients", done.stderr)

    def test_a_program_that_is_not_there_is_inconclusive(self):
        status, out = self.play(self.client("command = { './none' }"))
        self.assertEqual(status, 3, out)
        self.assertIn("'./none' does not exist", out)


class Twins(ClientFileTest):
    SLOW = "orders = 2, faults = { { on = 'POST *', attempt = 1, at = 'received', act = delay('1s') } }"

    def twins(self, kind):
        return self.play(os.path.join(CLIENTS, "double_click", f"{kind}.lua"), self.SLOW)

    def test_who_looks_first_and_inserts_later_pays_twice(self):
        status, out = self.twins("select_insert")
        self.assertEqual(status, 1, out)
        self.assertIn("cause: two at once, each on its own", out)
        self.assertIn("the client's process_2 starts", out)
        self.assertIn("--client", out.split("replay:")[1], "the replay names the file")

    def test_a_unique_row_and_its_key_pay_once(self):
        status, out = self.twins("unique_insert")
        self.assertEqual(status, 0, out)

    def test_one_that_is_paid_is_enough_and_all_have_to_fail(self):
        self.write("pay.sh", PAY.replace('[ "$GREETING" = "${1:-}" ] || exit 7',
                                         'mkdir "$STATE_DIR/mine" 2>/dev/null || exit ${1:-1}'))
        client = self.client("command = { './pay.sh' }, processes = 3")
        status, out = self.play(client)
        self.assertEqual(status, 0, out)
        self.write("pay.sh", "#!/bin/sh\nexit 1\n")
        status, out = self.play(client)
        self.assertEqual(status, 3, out)
        self.assertIn("never called the provider for order_1; it ended with status 1", out)


if __name__ == "__main__":
    unittest.main()
