"""A client that is a service (`--client FILE.lua` with service, submit and claim)."""
import os
import re
import socket
import unittest

from client_file import CLIENTS, ClientFileTest
from client_file import Reading, Twins  # noqa: F401 (deleted below: they have a test of their own)

del Reading, Twins

# A service in few lines: pays in the way that it is told to, and says what it is told to say.
SHOP = """
import http.server, os, sys, urllib.parse, urllib.request
env = os.environ
paid, asked = set(), {}
def pay(order, amount):
    form = {"amount": amount, "currency": "usd", "confirm": "true", "metadata[order_id]": order,
            "payment_method": "pm_card_visa"}
    request = urllib.request.Request(env["PSP_URL"] + "/v1/payment_intents",
        urllib.parse.urlencode(form).encode(),
        {"Authorization": "Bearer " + env["PSP_API_KEY"], "Idempotency-Key": order})
    urllib.request.urlopen(request, timeout=10).close()
class Shop(http.server.BaseHTTPRequestHandler):
    def end(self, status, text=""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())
    def do_GET(self):
        order = self.path[1:]
        asked[order] = asked.get(order, 0) + 1
        self.end(200, eval(env.get("SAYS", "'succeeded' if order in paid else 'unknown'")))
    def do_POST(self):
        order, amount = self.rfile.read(int(self.headers["Content-Length"])).decode().split()
        if env.get("CALLS") != "never":
            pay(order, amount)
        paid.add(order)
        self.end(200)
    def log_message(self, *args):
        pass
server = http.server.ThreadingHTTPServer(("127.0.0.1", int(env["APP_PORT"])), Shop)
print("the shop is open", flush=True)
server.serve_forever()
"""

TALK = """
  submit = function(order)
    return http.post{ url = "http://127.0.0.1:{app_port}/", body = order.id .. " " .. order.amount
                    }.status == 200
  end,
  claim = function(order)
    local answer = http.get("http://127.0.0.1:{app_port}/" .. order.id)
    return answer.status == 200 and answer.body or "unknown"
  end,
"""


class ServiceTest(ClientFileTest):
    def setUp(self):
        super().setUp()
        self.write("shop.py", SHOP)

    def shop(self, fields="", command='"python3", "shop.py"'):
        return self.client("service = { " + command + " }, directory = '.',\n" + TALK + fields)

    def tearDown(self):
        """Nobody works on, and nobody listens."""
        for name in filter(str.isdigit, os.listdir("/proc")):
            try:
                self.assertNotEqual(os.readlink(f"/proc/{name}/cwd"), self.home,
                                    f"process {name} is left behind")
            except (FileNotFoundError, PermissionError, ProcessLookupError):
                pass


class Good(ServiceTest):
    def test_orders_are_submitted_and_claimed(self):
        status, out = self.play(self.shop(), "orders = 3")
        self.assertEqual(status, 0, out)
        self.assertEqual(os.listdir(self.boxes), [])

    def test_it_is_ready_by_url_by_line_and_by_port(self):
        for ready in ("url = 'http://127.0.0.1:{app_port}/health'", "line = 'shop is open'",
                      "port = '{app_port}'"):
            status, out = self.play(self.shop("ready = { " + ready + " },"))
            self.assertEqual(status, 0, ready + "\n" + out)

    def test_a_double_click_is_two_submits_at_once(self):
        status, out = self.play(self.shop("processes = 2,"), "orders = 2", "--keep")
        self.assertEqual(status, 0, out)
        boxes = os.listdir(self.boxes)
        with open(os.path.join(self.boxes, boxes[0], "history.jsonl"), encoding="utf-8") as file:
            self.assertEqual(len(re.findall('"kind":"invoke"', file.read())), 4)

    def test_what_crashes_is_the_service_and_it_comes_back(self):
        status, out = self.play(
            self.shop(), "faults = { { on = 'POST *', attempt = 1, at = 'responded',"
                         "act = crash_client() } }", "--keep")
        self.assertEqual(status, 0, out)
        with open(os.path.join(self.boxes, os.listdir(self.boxes)[0], "history.jsonl"),
                  encoding="utf-8") as file:
            history = file.read()
        self.assertIn('"kind":"crash"', history)
        self.assertEqual(len(re.findall('"process":"service"', re.sub(
            '.*"kind":"output".*', "", history))), 4, "start, crash, exit, start")

    def test_the_examples(self):
        names = ["b10_response_dropped_after_commit", "f10_worker_killed_before_response",
                 "f20_worker_killed_after_response", "a20_job_delivered_twice"]
        files = [os.path.join(CLIENTS, "..", name + ".lua") for name in names]
        careful = self.run_harness(*files, "--client",
                                   os.path.join(CLIENTS, "service", "service_careful.lua"))
        self.assertEqual(careful.returncode, 0, careful.stdout)
        naive = self.run_harness(*files, "--client",
                                 os.path.join(CLIENTS, "service", "service_naive.lua"))
        self.assertEqual(naive.returncode, 1, naive.stdout)
        self.assertIn("cause: a new key on a retry", naive.stdout)
        self.assertIn("cause: the key was lost in the crash", naive.stdout)


class Bad(ServiceTest):
    def test_it_never_calls(self):
        status, out = self.play(self.shop("environment = { CALLS = 'never' },"))
        self.assertEqual(status, 3, out)
        self.assertIn("never called the provider for order_1", out)

    def test_it_is_never_ready(self):
        status, out = self.play(self.shop(
            "ready = { url = 'http://127.0.0.1:{app_port}/', timeout = '700ms' },",
            '"sh", "-c", "echo no database >&2; sleep 100"'))
        self.assertEqual(status, 3, out)
        self.assertIn("the service was not ready after 700ms: no 2xx comes from "
                      "http://127.0.0.1:", out)
        self.assertIn("it said: no database", out)

    def test_it_ends_at_once(self):
        status, out = self.play(self.shop("", '"sh", "-c", "echo oh >&2; exit 3"'))
        self.assertEqual(status, 3, out)
        self.assertIn("the service ended with status 3 before it was ready; it said: oh", out)

    def test_it_is_not_there(self):
        status, out = self.play(self.shop("", '"./none"'))
        self.assertEqual(status, 3, out)
        self.assertIn("'./none' does not exist", out)

    def test_it_never_knows(self):
        status, out = self.play(self.shop("environment = { SAYS = '\"unknown\"' },"
                                          "patience = '50ms',"))
        self.assertEqual(status, 1, out)
        self.assertIn("settles", out)

    def test_it_changes_its_mind(self):
        says = "environment = { SAYS = [['succeeded' if asked[order] == 1 else 'failed']] },"
        status, out = self.play(self.shop(says))
        self.assertEqual(status, 1, out)
        self.assertIn("failure_is_not_charged", out)

    def test_a_broken_function_is_a_broken_file(self):
        client = self.client(
            "service = { 'python3', 'shop.py' }, directory = '.',\n"
            "submit = function(order)\nlocal x = nil\nreturn x.y\nend,\n"
            "claim = function(order) return 'paid' end,")
        status, out = self.play(client)
        self.assertEqual(status, 2, out)
        self.assertIn("client.lua:5: attempt to index a nil value (local 'x')", out)
        client = self.client("service = { 'python3', 'shop.py' }, directory = '.',\n" +
                             TALK.replace('and answer.body or "unknown"', 'and "paid"'))
        status, out = self.play(client)
        self.assertEqual(status, 2, out)
        self.assertIn('claim returns "succeeded", "failed" or "unknown", not "paid"', out)

    def test_mistakes_of_the_file(self):
        self.refused("return client { service = { 'x' } }", "a service needs submit")
        self.refused("return client { service = { 'x' }, submit = print }", "needs claim")
        self.refused("return client { service = { 'x' }, command = { 'x' } }", "one of them")
        self.refused("return client { command = { 'x' }, submit = print }", "is for a service")
        self.refused("return client { command = { 'x' }, ready = {} }", "ready is for a service")
        talk = "service = { 'x' }, submit = print, claim = print, "
        self.refused("return client { " + talk + "ready = {} }", "one of url, port and line")
        self.refused("return client { " + talk + "ready = { url = 'x', line = 'y' } }",
                     "one of url, port and line")
        self.refused("return client { " + talk + "ready = { uri = 'x' } }", "did you mean url?")
        self.refused("return client { " + talk + "ready = { url = 'x', timeout = 1 } }",
                     "ready.timeout is a duration")
        self.refused("return client { " + talk + "patience = 'x' }", "patience: ")
        self.refused("http.get('http://127.0.0.1/')", "claim(order) and effects(order) only")


class Words(ServiceTest):
    """What submit and claim can do, tried with a command's claim."""

    def claim(self, body):
        self.write("pay.sh", "#!/bin/sh\nexit 7\n")
        client = self.client("command = { './pay.sh' },\nclaim = function(order)\n" + body +
                             "\nend,")
        return self.play(client)

    def test_http_and_its_mistakes(self):
        with socket.create_server(("127.0.0.1", 0)) as nobody:
            port = nobody.getsockname()[1]
        status, out = self.claim(
            f"local a = http.get('http://127.0.0.1:{port}/')\n"
            "error(a.status .. ': ' .. a.error)")
        self.assertEqual(status, 2, out)
        self.assertRegex(out, r"client.lua:\d+: 0: .*onnect")
        for call, why in (("http.get()", "write http.get{"), ("http.get{}", "needs a url"),
                          ("http.get{ uri = 'x' }", "did you mean url?"),
                          ("http.get{ url = 'x', timeout = 5 }", "timeout is a duration"),
                          ("http.get{ url = 'x', form = 5 }", "form is a table of text"),
                          ("http.get{ url = 'x', json = print }", "json: "),
                          ("http.get{ url = 'x', headers = { A = 'x\\ny' } }", "headers: ")):
            status, out = self.claim(call)
            self.assertEqual(status, 2, out)
            self.assertIn(why, out)

    def test_sh(self):
        status, out = self.claim(
            "local text, status = sh('echo a; echo $ORDER_ID {order}; exit 3')\n"
            "local _, late = sh('sleep 100', { timeout = '50ms' })\n"
            "error(text .. '/' .. status .. '/' .. late)")
        self.assertEqual(status, 2, out)
        self.assertIn("a\norder_1 order_1/3/124", out)


    def test_sqlite(self):
        self.write("fill.py", "import os, sqlite3\n"
                   "db = sqlite3.connect(os.environ['STATE_DIR'] + '/app.db')\n"
                   "db.execute('CREATE TABLE o (id TEXT, n INTEGER, x REAL, no TEXT)')\n"
                   "db.execute('INSERT INTO o VALUES (?, 7, 1.5, NULL)', (os.environ['ORDER_ID'],))\n"
                   "db.commit()\n")
        fill = "sh('python3 fill.py'); "
        status, out = self.claim(
            "local no, why = sqlite('app.db', 'SELECT 1')\n" + fill +
            "local row = sqlite('app.db', 'SELECT * FROM o WHERE id = ? AND n = ?', order.id, 7)[1]\n"
            "local none, later = sqlite('app.db', 'SELECT * FROM other')\n"
            "error(tostring(no) .. row.id .. row.n .. row.x .. tostring(row.no) .. #sqlite('app.db', "
            "'SELECT * FROM o WHERE n = ?', \"7' OR 1=1 --\") .. tostring(none))")
        self.assertEqual(status, 2, out)
        self.assertIn("nilorder_171.5nil0nil", out)
        for call, why in (("sqlite('app.db', 'SELEC 1')", "syntax error"),
                          ("sqlite('app.db', 'DELETE FROM o')", "only reading is allowed"),
                          ("sqlite('app.db', 'SELECT 1; SELECT 2')", "is not one statement"),
                          ("sqlite('app.db', 'SELECT ?')", "1 parameters, and 0 values"),
                          ("sqlite('app.db', 'SELECT ?', {})", "value 1 is a table"),
                          ("sqlite('app.db')", "write sqlite(")):
            status, out = self.claim(fill + call)
            self.assertEqual(status, 2, out)
            self.assertIn(why, out)


if __name__ == "__main__":
    unittest.main()
