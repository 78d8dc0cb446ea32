"""`claim = { query = … }`: what a client says is what stands in its database, SQLite or another one
behind a command. PostgreSQL is a real one, started and ended here."""
import glob
import json
import os
import shutil
import subprocess
import tempfile
import time
import unittest

PSP_HARNESS = os.environ["PSP_HARNESS"]
PATIENCE = 120  # seconds; for what is sure to come
POSTGRES = sorted(glob.glob("/usr/lib/postgresql/*/bin"))

# Pays, has its database remember, and then ends in a way that says nothing right.
PAY = """#!/bin/sh
payment=$(curl -sS -m 5 -u "$PSP_API_KEY:" -H "Idempotency-Key: $ORDER_ID" \
    -d amount="$ORDER_AMOUNT" -d currency="$ORDER_CURRENCY" -d payment_method=pm_card_visa \
    -d confirm=true -d "metadata[order_id]=$ORDER_ID" -f "$PSP_URL/v1/payment_intents" |
    jq -r .id)
./remember "$payment"
exit 1
"""
IN_SQLITE = """#!/usr/bin/python3
import os, sqlite3, sys
db = sqlite3.connect(os.environ["STATE_DIR"] + "/shop.db")
db.execute("CREATE TABLE orders (id TEXT, state TEXT, payment TEXT)")
db.execute("INSERT INTO orders VALUES ('other', 'new', NULL)")
if os.environ.get("STATE") != "":
    db.execute("INSERT INTO orders VALUES (?, ?, ?)",
               (os.environ["ORDER_ID"], os.environ.get("STATE", "paid"), sys.argv[1]))
db.commit()
"""
IN_POSTGRES = """#!/bin/sh
psql -qX -v ON_ERROR_STOP=1 -v order="$ORDER_ID" -v payment="$1" <<'SQL'
INSERT INTO orders VALUES (:'order', 'paid', :'payment')
SQL
"""
FOR_MYSQL = """
    query = "SELECT state FROM orders WHERE id = @order",
    command = [[{ printf "SET @order = x'%s';" "$(printf %s "$ORDER_ID" | od -An -tx1 | tr -d ' \\n')"
                cat; } | mysql -NB shop]],"""
IS_PAID = "words = { paid = 'succeeded', declined = 'failed' } }"


class ClaimQueryTest(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="psp-test.")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)
        os.mkdir(os.path.join(self.home, "boxes"))
        self.env = dict(os.environ, TMPDIR=os.path.join(self.home, "boxes"))
        self.write("pay.sh", PAY)
        self.write("remember", IN_SQLITE)
        self.write("s.lua", "return scenario { title = 'nothing goes wrong' }")

    def write(self, name, text):
        with open(os.path.join(self.home, name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(file.name, 0o755)

    def run_harness(self, claim, *options):
        self.write("client.lua", "return client { command = { './pay.sh' }, claim = {\n" + claim +
                   "\n}")
        return subprocess.run([PSP_HARNESS, "run", "s.lua", "--client", "client.lua", *options],
                              cwd=self.home, env=self.env, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, timeout=PATIENCE, check=False)

    def claimed(self, claim, *options):
        """Exit status, and the last claim: its outcome, and whether it names the payment."""
        history = os.path.join(self.home, "history")
        done = self.run_harness(claim, "--history", history, *options)
        with open(os.path.join(history, "s.jsonl"), encoding="utf-8") as file:
            events = [json.loads(line) for line in file]
        claims = [event["data"] for event in events if event["kind"] == "claim"]
        self.assertEqual({claim["by"] for claim in claims}, {"claim"}, done.stdout)
        payment = claims[-1].get("payment")
        self.assertIn(payment, {None, *(event["data"].get("payment_intent") for event in events
                                        if event["kind"] == "effect")})
        return done.returncode, claims[-1]["outcome"], payment is not None


class Sqlite(ClaimQueryTest):
    def test_one_column_is_the_outcome(self):
        self.assertEqual(self.claimed("sqlite = 'shop.db', query = 'SELECT state FROM orders "
                                      "WHERE id = :order'," + IS_PAID), (0, "succeeded", False))

    def test_columns_have_names(self):
        self.assertEqual(self.claimed("sqlite = '{state}/shop.db', query = 'SELECT payment, state "
                                      "AS outcome FROM orders WHERE id = :order'," + IS_PAID),
                         (0, "succeeded", True))

    def test_a_word_that_is_not_listed_and_an_order_that_is_not_there(self):
        for state in ("pending", ""):
            self.env["STATE"] = state
            self.assertEqual(self.claimed(
                "sqlite = 'shop.db', query = 'SELECT state FROM orders WHERE id = :order'," +
                IS_PAID, "--restarts", "0"), (1, "unknown", False), "it never settles")

    def test_without_words_it_says_it_in_ours(self):
        claim = "sqlite = 'shop.db', query = 'SELECT state FROM orders WHERE id = :order' }"
        self.env["STATE"] = "succeeded"
        self.assertEqual(self.claimed(claim), (0, "succeeded", False))
        self.env["STATE"] = "paid"
        done = self.run_harness(claim)
        self.assertEqual(done.returncode, 2)
        self.assertIn('claim returns "succeeded", "failed" or "unknown", not "paid"', done.stdout)


class Command(ClaimQueryTest):
    def test_what_it_is_given(self):
        self.write("mysql", "#!/bin/sh\ncat > \"$STATE_DIR/asked\"; grep -q \"x'%s';SELECT state FROM "
                   "orders WHERE id = @order\" \"$STATE_DIR/asked\" && printf 'paid\\tNULL\\n'\n" %
                   b"order_1".hex())
        self.env["PATH"] = self.home + ":" + self.env["PATH"]
        done = self.run_harness(FOR_MYSQL + IS_PAID)
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_one_that_fails(self):
        done = self.run_harness("query = 'SELECT 1', command = 'exit 3'," + IS_PAID)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("claim: its command ended with status 3: exit 3", done.stdout)

    def test_mistakes(self):
        for claim, why in (
                ("", "claim has a query, and sqlite ="),
                ("query = 'SELECT 1'", "claim has a query, and sqlite ="),
                ("query = 'SELECT 1', sqlite = 'a', command = 'b'", "claim has a query, and"),
                ("query = 7, sqlite = 'a'", "claim.query is text"),
                ("query = '', sqlite = 'a'", "claim.query is text"),
                ("query = 'SELECT 1', sqlit = 'a'", "no field 'sqlit' (did you mean sqlite?)"),
                ("query = 'SELECT 1', sqlite = 'a', words = 'paid'", "claim.words is a table"),
                ("query = 'SELECT 1', sqlite = 'a', words = { paid = 'good' }", "claim.words: each"),
                ("query = 'SELECT 1', sqlite = 'a', words = { 'failed' }", "claim.words: each")):
            done = self.run_harness(claim + "}")
            self.assertIn("client.lua:1: ", done.stderr)
            self.assertIn(why, done.stderr)
            self.assertEqual(done.returncode, 2)


class Postgres(ClaimQueryTest):
    """In a user namespace: root is not root to it, which it would refuse."""

    def setUp(self):
        super().setUp()
        self.cluster = os.path.join(self.home, "cluster")
        self.env.update(PGHOST=self.home, PGUSER="shop", PGDATABASE="postgres")
        self.write("remember", IN_POSTGRES)
        self.apart("initdb", "--username", "shop", "--auth", "trust", "--no-sync").wait()
        server = self.apart("postgres", "-F", "-c", "listen_addresses=", "-c",
                            "unix_socket_directories=" + self.home)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        self.psql("CREATE TABLE orders (id text, state text, payment text)")

    def apart(self, program, *words):
        return subprocess.Popen(["unshare", "--user", os.path.join(POSTGRES[-1], program), "-D",
                                 self.cluster, *words], stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def psql(self, text):
        end = time.monotonic() + PATIENCE
        while subprocess.run(["psql", "-qXc", text], env=self.env, check=False,
                             stderr=subprocess.DEVNULL).returncode != 0:
            self.assertLess(time.monotonic(), end, text)
            time.sleep(0.05)

    def test_a_real_one(self):
        claim = """query = "SELECT state, payment FROM orders WHERE id = :'order'",
            command = 'psql -AtX -v ON_ERROR_STOP=1 -v order="$ORDER_ID"',""" + IS_PAID
        self.assertEqual(self.claimed(claim), (0, "succeeded", True))
        self.psql("ALTER TABLE orders RENAME TO others")
        done = self.run_harness(claim)
        self.assertEqual(done.returncode, 2, done.stdout)
        self.assertIn("claim: its command ended with status 3: psql", done.stdout)


def missing():
    """What PostgreSQL needs and is not there, or None."""
    if not POSTGRES or shutil.which("psql") is None:
        return "PostgreSQL is not installed (Debian: postgresql)"
    if subprocess.run(["unshare", "--user", "true"], stderr=subprocess.DEVNULL,
                      check=False).returncode != 0:
        return "no user namespaces here"
    return None


if __name__ == "__main__":
    if missing() is not None:
        print(f"skipped: test_a_real_one, {missing()}")
        del Postgres
    unittest.main(verbosity=2)
