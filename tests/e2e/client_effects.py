"""What a client did because an order is paid: as it prints it, and as effects(order) counts it."""
import unittest

from client_file import ClientFileTest
from client_file import Reading, Twins  # noqa: F401 (deleted below: they have a test of their own)

del Reading, Twins

# A shop that ships when a webhook says that it is paid. SHIP: how it writes that down.
SHOP = """
import http.server, json, os, sqlite3, urllib.parse, urllib.request
env = os.environ
def database():
    db = sqlite3.connect(env["STATE_DIR"] + "/shop.db", timeout=10, isolation_level=None)
    db.execute("CREATE TABLE IF NOT EXISTS shipments (order_id TEXT %s)" % env.get("UNIQUE", ""))
    return db
def call(path, form, headers={}):
    with urllib.request.urlopen(urllib.request.Request(env["PSP_URL"] + path,
            urllib.parse.urlencode(form).encode(),
            {"Authorization": "Bearer " + env["PSP_API_KEY"], **headers}), timeout=10) as answer:
        return json.load(answer)
class Shop(http.server.BaseHTTPRequestHandler):
    def end(self, status, text=""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())
    def do_GET(self):
        self.end(200)
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/hooks":
            order = json.loads(body)["data"]["object"]["metadata"]["order_id"]
            database().execute("INSERT OR IGNORE INTO shipments VALUES (?)", (order,))
        else:
            order, amount = body.decode().split()
            call("/v1/payment_intents", {"amount": amount, "currency": "usd", "confirm": "true",
                "metadata[order_id]": order, "payment_method": "pm_card_visa"},
                {"Idempotency-Key": order})
        self.end(200)
    def log_message(self, *args):
        pass
database()
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(env["APP_PORT"])), Shop)
call("/v1/webhook_endpoints", {"url": "http://127.0.0.1:%s/hooks" % env["APP_PORT"],
                               "enabled_events[]": "payment_intent.succeeded"})
print("the shop is open", flush=True)
server.serve_forever()
"""

TALK = """
  service = { "python3", "shop.py" }, directory = ".", ready = { line = "open", timeout = "60s" },
  submit = function(order)
    return http.post{ url = "http://127.0.0.1:{app_port}/", body = order.id .. " " .. order.amount
                    }.status == 200
  end,
  claim = function(order) return "succeeded" end,
"""
COUNTS = """
  effects = function(order)
    local rows = sqlite("shop.db", "SELECT count(*) AS n FROM shipments WHERE order_id = ?", order.id)
    return { shipped = rows and rows[1].n or 0 }
  end,
"""
TWICE = """effects = true, orders = 2, faults = {
  { on = "payment_intent.succeeded", order = "order_2", at = "webhook", act = duplicate() } }"""

PAYS = """#!/bin/sh
curl -sS -m 5 -o /dev/null -u "$PSP_API_KEY:" -H "Idempotency-Key: $ORDER_ID" \
    -d amount="$ORDER_AMOUNT" -d currency="$ORDER_CURRENCY" -d payment_method=pm_card_visa \
    -d confirm=true -d "metadata[order_id]=$ORDER_ID" -f "$PSP_URL/v1/payment_intents" || exit 75
"""


class Counted(ClientFileTest):
    def setUp(self):
        super().setUp()
        self.write("shop.py", SHOP)

    def shop(self, fields=COUNTS):
        return self.client(TALK + fields)

    def test_a_row_that_only_one_can_insert_is_enough(self):
        status, out = self.play(self.shop(COUNTS + "environment = { UNIQUE = 'PRIMARY KEY' },"), TWICE)
        self.assertEqual(status, 0, out)

    def test_each_delivery_counts_however_late_it_is_told(self):
        status, out = self.play(self.shop(), TWICE)
        self.assertEqual(status, 1, out)
        self.assertIn("webhook_effect_once: the client says 'shipped' of order_2, and did it twice",
                      out)
        self.assertIn("cause: one webhook, delivered twice at once, was acted on twice", out)
        self.assertIn("! done: shipped, 2 times, as effects(order) counts  <== webhook_effect", out)

    def test_a_webhook_that_never_comes_leaves_it_undone(self):
        status, out = self.play(
            self.shop(COUNTS + "patience = '300ms',"),
            "faults = { { on = 'payment_intent.*', at = 'webhook', act = lose() } }")
        self.assertEqual(status, 1, out)
        self.assertIn("which it calls paid, but has not done it", out)
        self.assertIn("cause: a webhook dropped, and nobody asked", out)

    def test_a_webhook_that_comes_late_comes_all_the_same(self):
        for act in ("delay('1h')", "reorder('1h')"):
            status, out = self.play(
                self.shop(COUNTS + "patience = '300ms',"), "effects = true, faults = {"
                "{ on = 'payment_intent.succeeded', at = 'webhook', act = " + act + " } }")
            self.assertEqual(status, 0, out)

    def test_nothing_is_said_of_a_client_that_says_nothing(self):
        faults = TWICE.replace("effects = true, ", "")
        self.assertEqual(self.play(self.shop(""), faults)[0], 0)
        status, out = self.play(self.shop(""), TWICE)
        self.assertEqual(status, 3, out)
        self.assertIn("the client has not said what it did for any order", out)

    def test_what_is_no_count_is_refused(self):
        for value, why in (("{ shipped = 'once' }", "a whole number: shipped is none"),
                           ("{ shipped = -1 }", "a whole number: shipped is none"),
                           ("3", "effects returns a table")):
            status, out = self.play(self.shop(f"effects = function() return {value} end,"))
            self.assertEqual(status, 2, value + out)
            self.assertIn(why, out)


class Printed(ClientFileTest):
    def says(self, line, fields="title = 'as it is'", before=""):
        self.write("pay.sh", before + PAYS + f"echo '{line}' | sed s/ORDER/$ORDER_ID/\n")
        return self.play(self.client("command = { './pay.sh' }, directory = '.'"), fields)

    def test_once(self):
        status, out = self.says('{"order":"ORDER","effect":"shipped"}', "effects = true")
        self.assertEqual(status, 0, out)

    def test_again_in_another_run(self):
        status, out = self.says('{"order":"ORDER","effect":"shipped"}',
                                "run = function(world) world:start():wait()"
                                " world:start(world.orders[1]):wait() end")
        self.assertEqual(status, 1, out)
        self.assertIn("the client says 'shipped' of order_1, which it had done already", out)

    def test_before_it_is_paid(self):
        status, out = self.says("", before="""#!/bin/sh
            echo '{"order":"order_1","effect":"shipped"}'; sleep 0.3\n""")
        self.assertEqual(status, 1, out)
        self.assertIn("but nothing was charged by then", out)
        self.assertIn("cause: done before it was paid", out)

    def test_what_cannot_be_read_proves_nothing(self):
        for line, why in (('{"effect":"shipped"}', 'it has an effect but no "order"'),
                          ('{"order":"ORDER","effect":7}', 'its "effect" is no text'),
                          ('{"order":"order_9","effect":"shipped"}', "no order of this run")):
            status, out = self.says(line)
            self.assertEqual(status, 3, line + out)
            self.assertIn(why, out)


if __name__ == "__main__":
    unittest.main()
