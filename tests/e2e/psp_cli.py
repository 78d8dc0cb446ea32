"""mockpsp on the command line: every option with good and with bad values, exit statuses, the ready
line, the port file, and how it ends."""
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
import raw_http  # noqa: E402
from mockpsp_process import MOCKPSP, PAYMENT, Mockpsp, main, wait_until  # noqa: E402

USAGE, BROKE = 2, 4


def run(*options):
    """Runs it to its end, which has to come by itself."""
    return subprocess.run([MOCKPSP, *options], capture_output=True, text=True, timeout=30,
                          check=False)


class Words(unittest.TestCase):
    """What ends at once."""

    def test_help_names_every_option_request_and_call(self):
        ended = run("--help")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        for word in ("--port", "--host", "--db", "--faults", "--dialect", "--key-ttl", "--clock",
                     "--seed", "--api-key", "--port-file", "--quiet", "--help", "--version",
                     "/v1/payment_intents/{id}/confirm", "/v1/charges", "/v1/refunds",
                     "/v1/customers", "/_mock/health", "/_mock/clock", "/_mock/faults",
                     "/_mock/journal", "/_mock/ledger", "/_mock/reset", "12111"):
            self.assertIn(word, ended.stdout)
        self.assertLessEqual(max(map(len, ended.stdout.splitlines())), 100)

    def test_version(self):
        ended = run("--version")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertRegex(ended.stdout, r"^mockpsp \d+\.\d+\.\d+\n$")

    def test_wrong_usage_is_2_and_says_what(self):
        for options, word in [(["--nonsense"], "nonsense"), (["-x"], "x"), (["-"], "'-'"),
                              (["--por", "1"], "did you mean --port?"), (["extra"], "extra"),
                              (["--port"], "port"), (["--port", "x"], "--port"),
                              (["--port", ""], "--port"), (["--port", "-1"], "--port"),
                              (["--port", "65536"], "--port"), (["--port", "80 "], "--port"),
                              (["--seed", "one"], "--seed"), (["--seed", "-1"], "--seed"),
                              (["--seed", "99999999999999999999"], "--seed"),
                              (["--clock", "sun"], "--clock"), (["--clock", ""], "--clock"),
                              (["--dialect", "paypol"], "paypol"), (["--key-ttl", "0"], "--key-ttl"),
                              (["--token-ttl", "1ms"], "--token-ttl is 1s"),
                              (["--key-ttl", "24"], "unit"), (["--key-ttl", "-5m"], "-5m"),
                              (["--key-ttl", ""], "duration"), (["--api-key", "secret"], "--api-key"),
                              (["--api-key", ""], "--api-key"), (["--api-key", "sk_test_"], "--api-key"),
                              (["--db", ""], "--db"), (["--faults", "no/such.lua"], "no/such.lua"),
                              (["--quiet=yes"], "quiet")]:
            with self.subTest(options=options):
                ended = run("--port", "0", *options)
                self.assertEqual(ended.returncode, USAGE, ended.stderr)
                self.assertEqual(ended.stdout, "")
                self.assertIn(word, ended.stderr)

    def test_a_live_key_is_refused_and_not_repeated(self):
        ended = run("--api-key", "sk_" + "live_51NoSuchKey")
        self.assertEqual(ended.returncode, USAGE)
        self.assertNotIn("NoSuchKey", ended.stderr)

    def test_what_cannot_be_listened_on_is_4(self):
        for host in ("nonsense", "", "256.1.1.1", "203.0.113.7"):
            ended = run("--port", "0", "--host", host)
            self.assertEqual(ended.returncode, BROKE, host)
            self.assertIn(host, ended.stderr)
            self.assertEqual(ended.stdout, "")

    def test_a_port_in_use_is_4(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = str(other.getsockname()[1])
            ended = run("--port", port)
        self.assertEqual(ended.returncode, BROKE)
        for word in (port, "in use", "--port 0"):
            self.assertIn(word, ended.stderr)

    def test_two_of_us_do_not_share_a_port(self):
        psp = Mockpsp("--quiet")
        self.addCleanup(psp.clean)
        ended = run("--port", str(psp.port))
        self.assertEqual(ended.returncode, BROKE)
        self.assertIn("in use", ended.stderr)

    def test_a_port_file_that_cannot_be_written_is_4(self):
        ended = run("--port", "0", "--port-file", "/no/such/folder/port")
        self.assertEqual(ended.returncode, BROKE)
        self.assertIn("/no/such/folder/port", ended.stderr)
        self.assertEqual(ended.stdout, "")


class Running(unittest.TestCase):
    def start(self, *options, **more):
        psp = Mockpsp(*options, **more)
        self.addCleanup(psp.clean)
        return psp

    def test_the_ready_line_is_all_it_prints(self):
        psp = self.start()
        self.assertRegex(psp.ready, r"^mockpsp listening on http://127\.0\.0\.1:\d+\n$")
        psp.ask("POST", "/v1/charges", "sk_test_1", "amount=1&currency=usd")
        psp.process.send_signal(signal.SIGTERM)
        self.assertEqual(psp.process.stdout.read(), "")
        self.assertEqual(psp.stop(), 0)
        self.assertEqual(psp.stderr(), "")

    def test_closed_standard_streams_are_nobody_else_s(self):
        """Their numbers are free: what is opened next would get them, and what is printed."""
        for closed in ([0], [1], [0, 1, 2]):
            with self.subTest(closed=closed), tempfile.TemporaryDirectory() as home:
                port_file = os.path.join(home, "port")
                close = "exec " + " ".join(f"{fd}>&-" for fd in closed)
                process = subprocess.Popen(
                    ["sh", "-c", f'{close}; exec "$@"', "sh", MOCKPSP, "--port", "0", "--db",
                     os.path.join(home, "psp.db"), "--port-file", port_file])
                wait_until(lambda: process.poll() is not None or os.path.exists(port_file),
                           "it listens")
                try:
                    for fd in closed:
                        self.assertEqual(os.readlink(f"/proc/{process.pid}/fd/{fd}"), "/dev/null")
                finally:
                    process.terminate()
                self.assertEqual(process.wait(30), 0)

    def test_the_port_file_is_there_while_it_listens(self):
        psp = self.start()
        with open(psp.port_file, encoding="ascii") as file:
            self.assertEqual(file.read(), f"{psp.port}\n")
        self.assertEqual(os.listdir(psp.home).count("port"), 1)
        psp.stop()
        self.assertFalse(os.path.exists(psp.port_file))
        self.assertEqual(sorted(os.listdir(psp.home)), ["err"])

    def test_a_port_that_was_asked_for(self):
        with socket.create_server(("127.0.0.1", 0)) as other:
            port = other.getsockname()[1]
        psp = self.start("--port", str(port))
        self.assertEqual(psp.port, port)
        psp.kill()
        psp.restart()  # at once, on the same port
        self.assertEqual(psp.port, port)

    def test_both_signals_end_it_well(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            psp = self.start("--db", "psp.db")
            psp.process.send_signal(number)
            self.assertEqual(psp.process.wait(raw_http.PATIENCE), 0)

    def test_it_ends_with_requests_under_way(self):
        psp = self.start("--db", "psp.db", "--clock", "manual")
        lines = []
        for at, act in (("before_commit", {"kind": "delay", "ms": 600_000}),
                        ("after_commit", {"kind": "hang"}), ("responding", {"kind": "hang"})):
            account = "sk_test_" + at
            psp.faults((at, act), account=account)
            line = psp.connect()
            self.addCleanup(line.close)
            lines.append(line.send(raw_http.request("POST", "/v1/payment_intents", account, PAYMENT,
                                                    "key")))
            psp.wait_for_fault(account, at)
        lines.append(psp.connect().send(b"POST /v1/cha"))
        lines.append(psp.connect())
        self.assertEqual(psp.stop(), 0)
        for line in lines:
            self.assertEqual(line.rest()[0], b"")
            line.close()
        psp.restart()
        self.assertEqual([charge["account"] for charge in psp.charges()],
                         ["sk_test_after_commit", "sk_test_responding"])

    def test_the_client_of_a_pipe_that_closes_does_not_kill_it(self):
        psp = self.start()
        psp.process.stdout.close()
        for _ in range(20):
            with psp.connect() as connection:
                connection.send(raw_http.request("GET", "/v1/charges", "sk_test_1"))
        self.assertEqual(psp.ask("GET", "/v1/charges", "sk_test_1").status, 200)

    def test_other_addresses(self):
        psp = self.start("--host", "127.0.0.2")
        self.assertIn("http://127.0.0.2:", psp.ready)
        with socket.create_connection(("127.0.0.2", psp.port)):
            pass
        with self.assertRaises(ConnectionRefusedError):
            psp.connect()
        everywhere = self.start("--host", "0.0.0.0", "--quiet")
        self.assertIn("whoever reaches this machine", everywhere.stderr())
        self.assertEqual(everywhere.ask("GET", "/v1/charges", "sk_test_1").status, 200)

    def test_ipv6(self):
        try:
            socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        except OSError:
            self.skipTest("no IPv6 here")
        psp = self.start("--host", "::1")
        self.assertRegex(psp.ready, r"^mockpsp listening on http://\[::1\]:\d+\n$")

    def test_one_key_only(self):
        psp = self.start("--api-key", "sk_test_mine")
        self.assertEqual(psp.ask("GET", "/v1/charges", "sk_test_mine").status, 200)
        answer = psp.ask("GET", "/v1/charges", "sk_test_other")
        self.assertEqual(answer.status, 401)
        self.assertNotIn(b"sk_test_mine", answer.raw)

    def test_a_seed_decides_the_ids(self):
        def ids(seed):
            psp = self.start("--seed", seed, "--clock", "manual")
            answer = psp.ask("POST", "/v1/payment_intents", "sk_test_1", PAYMENT, "key")
            return answer.header("request-id"), answer.body
        self.assertEqual(ids("7"), ids("7"))
        self.assertNotEqual(ids("7")[0], ids("8")[0])

    def test_the_life_of_a_key(self):
        psp = self.start("--key-ttl", "90m", "--clock", "manual")

        def replayed():
            return psp.ask("POST", "/v1/charges", "sk_test_1", "amount=1&currency=usd",
                           "key").header("idempotent-replayed")
        self.assertEqual((replayed(), replayed()), (None, "true"))
        psp.advance("89m")
        self.assertEqual(replayed(), "true")
        psp.advance("1m")
        self.assertEqual((replayed(), replayed()), (None, "true"))


class FaultsFile(unittest.TestCase):
    """--faults FILE.lua: the same files that the harness takes."""

    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="psp-e2e.")
        self.addCleanup(shutil.rmtree, self.home)

    def file(self, text):
        path = os.path.join(self.home, "faults.lua")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def test_its_faults_strike(self):
        path = self.file("""return scenario {
  title = "dropped", faults = { { on = "POST *", attempt = 1, at = "after_commit", act = drop() } },
}""")
        psp = Mockpsp("--faults", path)
        self.addCleanup(psp.clean)
        with self.assertRaises(raw_http.NoAnswer):
            psp.ask("POST", "/v1/payment_intents", "sk_test_1", PAYMENT, "key")
        again = psp.ask("POST", "/v1/payment_intents", "sk_test_1", PAYMENT, "key")
        self.assertEqual(again.header("idempotent-replayed"), "true")
        self.assertEqual(len(psp.charges()), 1)

    def test_the_control_plane_takes_their_place_and_gives_it_back(self):
        path = self.file("""return scenario {
  title = "always", faults = { { at = "received", act = respond(418) } } }""")
        psp = Mockpsp("--faults", path)
        self.addCleanup(psp.clean)

        def status():
            return psp.ask("GET", "/v1/charges", "sk_test_1").status
        self.assertEqual(status(), 418)
        psp.faults(account="sk_test_1")
        self.assertEqual(status(), 200)
        psp.no_faults("sk_test_1")
        self.assertEqual(status(), 418)

    def test_a_broken_file_is_2_and_names_file_and_line(self):
        for text, word in [("return scenario {\n  title = \n}", ":3:"), ("\nerror('no')", ":2:"),
                           ("return scenario {\n title = 'x',\n faults = {\n  { at = 'nowhere', "
                            "act = drop() } } }", "nowhere"), ("return 7", "scenario")]:
            path = self.file(text)
            ended = run("--port", "0", "--faults", path)
            self.assertEqual(ended.returncode, USAGE, ended.stderr)
            self.assertTrue(re.search(re.escape(path), ended.stderr), ended.stderr)
            self.assertIn(word, ended.stderr)


if __name__ == "__main__":
    main()
