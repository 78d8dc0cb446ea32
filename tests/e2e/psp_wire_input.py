"""What comes in over the wire: form bodies in every spelling that real libraries use, requests that are
broken, too large or no HTTP at all. The provider answers, or closes; it never dies of it."""
import base64
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PspTest, main, wait_until  # noqa: E402
from raw_http import NoAnswer, request  # noqa: E402

CUSTOMERS = "/v1/customers"


class Bodies(PspTest):
    """Form bodies."""

    def customer(self, body, status=200):
        return self.json(self.pay(None, body, CUSTOMERS), status)

    def test_brackets_literal_and_encoded(self):
        for body in ("metadata[order_id]=6735", "metadata%5Border_id%5D=6735",
                     "metadata%5border_id%5d=6735", "metadata[order%5Fid]=6735",
                     "%6detadata[order_id]=%36735"):
            self.assertEqual(self.customer(body)["metadata"], {"order_id": "6735"})

    def test_plus_is_a_space_and_percent_2b_a_plus(self):
        self.assertEqual(self.customer("name=a+b%2Bc%20d")["name"], "a b+c d")

    def test_values_may_hold_anything_that_is_utf_8(self):
        for text in ("a=b=c", "a;b", "ключ", "日本語", "\U0001f4b8", "\u0001\u007f", "\"\\/\b\f\n\r\t",
                     "</script>", "\u2028", "é" * 255):
            made = self.json(self.pay(None, [("name", text)], CUSTOMERS))
            self.assertEqual(made["name"], text)
            self.assertEqual(self.json(self.get(f"{CUSTOMERS}/{made['id']}"))["name"], text)

    def test_utf_8_need_not_be_encoded(self):
        self.assertEqual(self.customer("name=Zoë".encode())["name"], "Zoë")

    def test_indexed_and_bare_lists(self):
        intent = "amount=1&currency=usd&payment_method_types"
        for spelling in ("[0]=card", "[]=card", "%5B0%5D=card"):
            self.assertEqual(self.pay(None, intent + spelling).status, 200)

    def test_an_empty_value_unsets(self):
        made = self.customer("name=&metadata[a]=&metadata[b]=c&description")
        self.assertEqual((made["name"], made["description"]), (None, None))
        self.assertEqual(made["metadata"], {"b": "c"})

    def test_the_last_of_two_counts(self):
        self.assertEqual(self.customer("name=first&name=second")["name"], "second")

    def test_booleans_in_any_case(self):
        for word in ("true", "True", "TRUE", "false", "False"):
            self.assertEqual(self.pay(None, "amount=1&currency=usd&off_session=true&confirm=" + word +
                                      "&payment_method=pm_card_visa").status, 200)
        error = self.error(self.pay(None, "amount=1&currency=usd&confirm=yes"), 400)
        self.assertEqual(error["param"], "confirm")

    def test_a_body_without_a_content_type_is_a_form(self):
        data = b"POST /v1/customers HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n" \
               b"Content-Length: 6\r\n\r\nname=x" % self.account.encode()
        with self.psp.connect() as connection:
            self.assertEqual(json.loads(connection.ask(data).body)["name"], "x")

    def test_json_that_would_be_changed_is_refused(self):
        for body in ('{"amount":500,"currency":"usd","metadata":{"order_id":1234567890123456789}}',
                     '{"amount":500,"currency":"usd\\u0000x"}', '{"amount":0500,"currency":"usd"}'):
            with self.subTest(body=body):
                said = self.json(self.as_json("/payments", body), 400)
                self.assertIn("Invalid JSON", said["message"])
        self.assertCharges(0)

    def as_json(self, path, body):
        data = request("POST", path, self.account, body)
        data = data.replace(b"application/x-www-form-urlencoded", b"application/json")
        with self.psp.connect() as connection:
            return connection.ask(data)

    def test_stripe_itself_takes_forms_only(self):
        body = '{"amount":500,"currency":"usd"}'
        self.assertIn("check that your POST content type is application/x-www-form-urlencoded",
                      self.error(self.as_json("/v1/charges", body), 400)["message"])
        self.assertCharges(0)
        self.psp.control("PUT", "dialect", "name=stripe-v2")
        self.addCleanup(self.psp.control, "PUT", "dialect", "name=stripe")
        self.assertEqual(self.json(self.as_json("/v1/charges", body))["amount"], 500)
        self.assertCharges(1)

    def test_no_body_at_all(self):
        self.assertEqual(self.psp.ask("POST", CUSTOMERS, self.account).status, 200)
        self.assertEqual(self.customer("")["name"], None)

    def test_broken_forms_are_refused(self):
        for body, word in [("name=%", "%"), ("name=%4", "%"), ("name=%zz", "%"), ("name=100%", "%"),
                           ("%=x", "%"), ("name=a%00b", "NUL"), (b"name=a\0b", "NUL"),
                           (b"name=\xff", "UTF-8"), ("name=%C3%28", "UTF-8"),
                           ("name=%ED%A0%80", "UTF-8"), ("name=%C0%AF", "UTF-8"),
                           ("name=%F5%80%80%80", "UTF-8"), ("=x", "no name"), ("[a]=x", "no name"),
                           ("metadata[a=x", "bracket"), ("metadata]a[=x", "bracket"),
                           ("metadata[a]b=x", "bracket"), ("metadata[[a]]=x", "bracket"),
                           ("metadata[a][b][c][d][e][f]=x", "nest")]:
            with self.subTest(body=body):
                error = self.error(self.pay("key", body, CUSTOMERS), 400)
                self.assertEqual(error["type"], "invalid_request_error")
                self.assertIn(word, error["message"])
        self.assertEqual(len(self.json(self.get(CUSTOMERS))["data"]), 0)

    def test_a_broken_query_is_refused_like_a_broken_body(self):
        self.assertEqual(self.get(CUSTOMERS + "?limit=%").status, 400)
        self.assertEqual(self.get(CUSTOMERS + "?limit=%31").status, 200)

    def test_1000_parameters_are_the_most(self):
        for count, status in ((1000, 400), (1001, 400)):
            body = "&".join(f"metadata[k{i}]=v" for i in range(count))
            error = self.error(self.pay(None, body, CUSTOMERS), status)
            self.assertIn("1000 parameters" if count > 1000 else "50 keys", error["message"])

    def test_json_and_xml_bodies_are_no_forms(self):
        for body in ('{"amount":2000,"currency":"usd"}', "<charge><amount>1</amount></charge>"):
            self.assertEqual(self.pay(None, body, "/v1/charges").status, 400)
        self.assertCharges(0)


class Sizes(PspTest):
    """Large, slow and chopped up."""

    def test_1_mib_is_the_most_for_a_body(self):
        most = 1 << 20
        value = "name=" + "x" * (most - len("name="))
        error = self.error(self.pay(None, value, CUSTOMERS), 400)  # read, and too long for a name
        self.assertEqual(error["param"], "name")
        with self.psp.connect() as connection:
            answer = connection.ask(request("POST", CUSTOMERS, self.account, value + "x"))
            self.assertIn("1 MiB", self.error(answer, 413)["message"])

    def test_a_chunked_body_is_counted_too(self):
        data = request("POST", CUSTOMERS, self.account, None, None,
                       [("Transfer-Encoding", "chunked")])
        with self.psp.connect() as connection:
            connection.send(data)
            for _ in range(17):
                connection.send(b"10000\r\n" + b"x" * 0x10000 + b"\r\n")
            self.assertEqual(connection.send(b"0\r\n\r\n").answer().status, 413)

    def test_headers_that_are_too_large(self):
        for count, size in ((1, 200_000), (2000, 100)):
            headers = [(f"X-Header-{i}", "x" * size) for i in range(count)]
            with self.psp.connect() as connection:
                answer = connection.ask(request("GET", CUSTOMERS, self.account, headers=headers))
                self.assertIn(answer.status, (413, 431))
        self.assertEqual(self.get(CUSTOMERS).status, 200)

    def test_a_url_that_is_too_long(self):
        with self.psp.connect() as connection:
            answer = connection.ask(request("GET", "/v1/" + "x" * 200_000, self.account))
            self.assertIn(answer.status, (414, 431))

    def test_byte_by_byte(self):
        data = request("POST", CUSTOMERS, self.account, "name=slow&metadata[a]=b", "key")
        with self.psp.connect() as connection:
            for i in range(len(data)):
                connection.send(data[i:i + 1])
            self.assertEqual(json.loads(connection.answer().body)["name"], "slow")

    def test_chunks_of_one_byte(self):
        data = request("POST", CUSTOMERS, self.account, None, None,
                       [("Transfer-Encoding", "chunked")])
        body = b"".join(b"1\r\n%c\r\n" % byte for byte in b"name=a%2Bb") + b"0\r\n\r\n"
        with self.psp.connect() as connection:
            answer = connection.ask(data + body)
            self.assertEqual(json.loads(answer.body)["name"], "a+b")

    def test_a_client_that_goes_in_the_middle_of_its_body_has_asked_nothing(self):
        data = request("POST", "/v1/charges", self.account, "amount=100&currency=usd")
        for cut in (1, 30, len(data) - 1):
            with self.psp.connect() as connection:
                connection.send(data[:cut])
        self.assertEqual(self.get("/v1/charges").status, 200)
        self.assertCharges(0)


class Connections(PspTest):
    """Keep-alive, pipelining, and the end of a connection."""

    def test_many_requests_on_one_connection_are_counted(self):
        with self.psp.connect() as connection:
            for _ in range(5):
                connection.ask(request("GET", CUSTOMERS, self.account))
        with self.psp.connect() as connection:
            connection.ask(request("GET", CUSTOMERS, self.account))
        invokes = [entry["data"] for entry in self.psp.journal(self.account)
                   if entry["kind"] == "invoke"]
        self.assertEqual([one["on_connection"] for one in invokes], [1, 2, 3, 4, 5, 1])
        self.assertEqual(len({one["connection"] for one in invokes}), 2)

    def test_pipelined_requests_are_answered_in_order(self):
        data = [request("POST", CUSTOMERS, self.account, f"name=n{i}") for i in range(10)]
        with self.psp.connect() as connection:
            connection.send(b"".join(data))
            names = [json.loads(connection.answer().body)["name"] for _ in data]
        self.assertEqual(names, [f"n{i}" for i in range(10)])

    def test_a_pipelined_request_waits_for_the_one_before_it(self):
        self.psp.faults({"on": "POST *", "nth": 1, "at": "after_commit",
                         "act": {"kind": "delay", "ms": 50}}, account=self.account)
        data = [request("POST", CUSTOMERS, self.account, f"name=n{i}") for i in range(3)]
        with self.psp.connect() as connection:
            connection.send(b"".join(data))
            names = [json.loads(connection.answer().body)["name"] for _ in data]
        self.assertEqual(names, ["n0", "n1", "n2"])

    def test_connection_close_is_honoured(self):
        data = request("GET", CUSTOMERS, self.account, headers=[("Connection", "close")])
        with self.psp.connect() as connection:
            answer = connection.ask(data)
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.header("connection").lower(), "close")
            self.assertEqual(connection.rest(), (b"", "fin"))

    def test_http_1_0_closes_unless_asked_otherwise(self):
        data = request("GET", CUSTOMERS, self.account).replace(b"HTTP/1.1", b"HTTP/1.0")
        with self.psp.connect() as connection:
            self.assertEqual(connection.ask(data).status, 200)
            self.assertEqual(connection.rest(), (b"", "fin"))

    def test_clients_that_go_leave_nothing_behind(self):
        whole = request("GET", CUSTOMERS, self.account)
        descriptors = f"/proc/{self.psp.process.pid}/fd"
        before = len(os.listdir(descriptors))
        for data in (b"", b"\0" * 50, whole[:30], whole, whole + whole[:10],
                     request("POST", "/v1/charges", self.account, "amount=100&currency=usd")[:-3]):
            for _ in range(20):
                with self.psp.connect() as connection:
                    connection.send(data)
        wait_until(lambda: len(os.listdir(descriptors)) <= before, "the last connection's end")

    def test_a_half_closed_client_is_let_go_after_its_answer(self):
        with self.psp.connect() as connection:
            connection.send(request("GET", CUSTOMERS, self.account))
            connection.socket.shutdown(1)
            self.assertEqual(connection.answer().status, 200)
            self.assertEqual(connection.rest(), (b"", "fin"))

    def test_expect_100_continue(self):
        data = request("POST", CUSTOMERS, self.account, "name=x", None, [("Expect", "100-continue")])
        head, body = data.split(b"\r\n\r\n", 1)
        with self.psp.connect() as connection:
            connection.send(head + b"\r\n\r\n")
            wait_until(lambda: not connection.silent(), "100 Continue")
            self.assertTrue(connection.socket.recv(4096).startswith(b"HTTP/1.1 100 "))
            self.assertEqual(connection.send(body).answer().status, 200)

    def test_an_empty_expect_is_nothing(self):
        answer = self.pay(None, "name=x", CUSTOMERS, headers=[("Expect", "")])
        self.assertEqual(answer.status, 200)


class Methods(PspTest):
    """Methods, URLs and things that are no HTTP."""

    def test_methods_that_a_path_does_not_have(self):
        for method in ("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "post", "BREW"):
            with self.psp.connect() as connection:
                data = request(method, CUSTOMERS, self.account, None)
                self.assertEqual(connection.ask(data, method).status, 405, method)
                # The connection is still in step.
                again = request("GET", CUSTOMERS, self.account)
                self.assertEqual(connection.ask(again).status, 200)

    def test_unknown_urls(self):
        for path in ("/", "/v1", "/v1/", "/v1/customers/", "/v1/customers/a/b", "/v2/charges",
                     "/v1//charges", "/V1/charges", "/v1/charges%2F", "/favicon.ico", "*",
                     "/v1/payment_intents//confirm"):
            with self.subTest(path=path):
                error = self.error(self.get(path), 404)
                self.assertEqual(error["type"], "invalid_request_error")

    def test_an_absolute_target_is_not_understood_and_not_fatal(self):
        self.assertIn(self.get("http://x/v1/customers").status, (200, 404))

    def test_bytes_that_are_no_text_are_refused_before_anything_is_kept(self):
        for path, headers, key in ((b"/v1/charges/\xff\xfe", (), None), (b"/\xff", (), None),
                                   (b"/v1/charges?x=\xff", (), None),
                                   (b"/v1/charges", [("Stripe-Account", b"\xff")], None),
                                   (b"/v1/charges", (), b"\xff\xfe")):
            with self.subTest(path=path, headers=headers, key=key):
                data = request("POST" if key else "GET", "/PATH", self.account,
                               b"amount=100&currency=usd" if key else None, key, headers)
                with self.psp.connect() as connection:
                    self.error(connection.ask(data.replace(b"/PATH", path)), 400)
        self.assertCharges(0)
        self.psp.journal()  # is JSON, which is UTF-8
        self.psp.ledger()

    def test_headers_that_nobody_keeps_may_be_anything(self):
        for name in ("User-Agent", "Stripe-Version", "X-Name"):
            self.assertEqual(self.get("/v1/charges", headers=[(name, b"M\xfcller")]).status, 200)

    def test_what_is_no_http_is_refused_or_cut_off(self):
        for data in (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", b"hello\r\n\r\n", b"\r\n\r\n\r\n",
                     b"GET\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n", b"GET / HTTP/1.1\r\nno colon\r\n\r\n",
                     b"\0" * 100, b"POST /v1/charges HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\n",
                     b"POST /v1/charges HTTP/1.1\r\nHost: x\r\nContent-Length: 1e3\r\n\r\n",
                     b"POST /v1/charges HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
            with self.subTest(data=data):
                with self.psp.connect() as connection:
                    connection.send(data)
                    connection.socket.shutdown(1)
                    try:
                        self.assertGreaterEqual(connection.answer().status, 400)
                    except NoAnswer:
                        pass
                self.assertEqual(self.get(CUSTOMERS).status, 200)
        self.assertCharges(0)


class Auth(PspTest):
    """Bearer and Basic, in any case."""

    def with_authorization(self, value, name="Authorization"):
        with self.psp.connect() as connection:
            return connection.ask(request("GET", CUSTOMERS, None, headers=[(name, value)]))

    def test_good_ones(self):
        basic = base64.b64encode((self.account + ":").encode()).decode()
        bare = base64.b64encode(self.account.encode()).decode()
        secret = base64.b64encode((self.account + ":ignored:too").encode()).decode()
        for value in ("Bearer " + self.account, "bearer " + self.account, "BEARER  " + self.account,
                      "Basic " + basic, "basic " + bare, "Basic " + secret,
                      "Bearer rk_test_restricted"):
            self.assertEqual(self.with_authorization(value).status, 200, value)
        self.assertEqual(self.with_authorization("Bearer " + self.account,
                                                 "authorization").status, 200)

    def test_bad_ones(self):
        for value in ("", "Bearer", "Bearer ", "Basic", "Basic !!!", "Basic Og==", "Digest x",
                      self.account, "Bearer sk_test_", "Bearer pk_test_1", "Bearer nonsense",
                      "Bearer sk_test_" + "x" * 300, "Token " + self.account, b"Bearer sk_test_\xff",
                      b"Basic " + base64.b64encode(b"sk_test_\xff:")):
            answer = self.with_authorization(value)
            error = self.error(answer, 401)
            self.assertEqual(error["type"], "invalid_request_error")
            self.assertTrue(answer.header("www-authenticate"))
            self.assertTrue(answer.header("request-id"))


if __name__ == "__main__":
    main()
