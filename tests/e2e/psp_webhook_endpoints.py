"""Webhook endpoints as clients make and see them; what becomes of events is in psp_webhooks.py."""
import json
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PspTest, main  # noqa: E402
from raw_http import request  # noqa: E402

PATH = "/v1/webhook_endpoints"
URL = "http://127.0.0.1:9/hooks"
GOOD = [("url", URL), ("enabled_events[]", "charge.succeeded"),
        ("enabled_events[]", "refund.created")]


class Endpoints(PspTest):
    def create(self, params=GOOD, status=200):
        return self.json(self.pay(None, params, PATH), status)

    def update(self, endpoint, params):
        return self.json(self.pay(None, params, f"{PATH}/{endpoint['id']}"))

    def delete(self, identity):
        return self.psp.ask("DELETE", f"{PATH}/{identity}", self.account)

    def refused(self, params, code, param):
        error = self.create(params, 400)["error"]
        self.assertEqual((error["type"], error.get("code"), error["param"]),
                         ("invalid_request_error", code, param))

    def test_the_secret_is_shown_once(self):
        made = self.create()
        self.assertRegex(made.pop("secret"), r"^whsec_[A-Za-z0-9]{24}$")
        self.assertEqual(made["object"], "webhook_endpoint")
        self.assertEqual((made["url"], made["status"], made["livemode"]), (URL, "enabled", False))
        self.assertEqual(made["enabled_events"], ["charge.succeeded", "refund.created"])
        self.assertEqual(self.json(self.get(f"{PATH}/{made['id']}")), made)
        self.assertEqual(self.json(self.get(PATH))["data"], [made])
        self.assertEqual(self.update(made, []), made)

    def test_what_json_says_is_the_same(self):
        body = json.dumps({"url": URL, "enabled_events": ["*"], "metadata": {"a": "b"}})
        headers = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        self.psp.control("PUT", "dialect", '{"json": true}')
        self.addCleanup(self.psp.control, "PUT", "dialect", "name=stripe")
        with self.psp.connect() as connection:
            made = self.json(connection.ask(request("POST", PATH, self.account, headers=headers) +
                                            body.encode()))
        self.assertEqual((made["enabled_events"], made["metadata"]), (["*"], {"a": "b"}))

    def test_refusals(self):
        events = ("enabled_events[]", "*")
        self.refused([events], "parameter_missing", "url")
        self.refused([("url", URL)], "parameter_missing", "enabled_events")
        self.refused([("url", URL), ("enabled_events[]", "Charge Succeeded")], None,
                     "enabled_events")
        self.refused([("url", URL), ("enabled_events[]", "")], None, "enabled_events")
        self.refused([("url", URL), events, ("colour", "red")], "parameter_unknown", "colour")
        for url in ("", "nonsense", "ftp://127.0.0.1/", "file:///etc/passwd", "http://",
                    "http://user:word@127.0.0.1/", "http://127.0.0.1/" + "x" * 2000):
            self.refused([("url", url), events], "url_invalid", "url")

    def test_only_this_machine(self):
        events = ("enabled_events[]", "*")
        for host in ("localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "[::1]", "2130706433"):
            self.create([("url", f"http://{host}:9/"), events])
        for host in ("example.com", "127.0.0.1.example.com", "localhost.example.com", "10.0.0.1",
                     "0.0.0.0", "[::2]", "128.0.0.1"):
            self.refused([("url", f"https://{host}/"), events], "url_invalid", "url")

    def test_never_to_the_control_plane(self):
        events = ("enabled_events[]", "*")
        for host in ("localhost", "127.0.0.1", "[::1]", "2130706433"):
            for path in ("_mock/reset", "_mock", "_mock?x", "x/../_mock/reset", "%5fmock/reset",
                         "/_mock/reset"):
                self.refused([("url", f"http://{host}:{self.psp.port}/{path}"), events],
                             "url_invalid", "url")
        self.create([("url", f"http://127.0.0.1:{self.psp.port}/_mocking"), events])
        made = self.create()
        url = f"http://127.0.0.1:{self.psp.port}/_mock/reset"
        self.error(self.pay(None, [("url", url)], f"{PATH}/{made['id']}"), 400)

    def test_the_control_plane_takes_no_webhooks(self):
        self.create()
        signed = [("Stripe-Signature", "t=1,v1=0")]
        for method, path in (("POST", "/_mock/reset"), ("GET", "/_mock/health")):
            answer = self.psp.ask(method, path, self.account, headers=signed)
            self.assertEqual(answer.status, 403)
        self.assertEqual(len(self.json(self.get(PATH))["data"]), 1)

    def test_update(self):
        made = self.create(GOOD + [("metadata[a]", "1"), ("metadata[b]", "2"),
                                   ("description", "first")])
        changed = self.update(made, [("metadata[a]", ""), ("metadata[c]", "3"),
                                     ("enabled_events[]", "*"), ("disabled", "true"),
                                     ("url", URL + "/2")])
        self.assertEqual(changed["metadata"], {"b": "2", "c": "3"})
        self.assertEqual((changed["enabled_events"], changed["status"], changed["url"]),
                         (["*"], "disabled", URL + "/2"))
        self.assertEqual(changed["description"], "first")
        changed = self.update(made, [("metadata", ""), ("description", ""), ("disabled", "false")])
        self.assertEqual((changed["metadata"], changed["description"], changed["status"]),
                         ({}, None, "enabled"))
        self.assertEqual(self.json(self.get(f"{PATH}/{made['id']}")), changed)
        error = self.error(self.pay(None, [("url", "http://example.com")], f"{PATH}/{made['id']}"),
                           400)
        self.assertEqual(error["param"], "url")

    def test_metadata_stays_within_its_bounds_when_merged(self):
        made = self.create(GOOD + [(f"metadata[k{i}]", "v") for i in range(50)])
        self.error(self.pay(None, [("metadata[new]", "v")], f"{PATH}/{made['id']}"), 400)
        self.assertEqual(len(self.json(self.get(f"{PATH}/{made['id']}"))["metadata"]), 50)
        changed = self.update(made, [("metadata[new]", "v"), ("metadata[k0]", "")])
        self.assertEqual(len(changed["metadata"]), 50)

    def test_delete(self):
        made = self.create()
        self.assertEqual(self.json(self.delete(made["id"])),
                         {"id": made["id"], "object": "webhook_endpoint", "deleted": True})
        self.assertEqual(self.error(self.delete(made["id"]), 404)["code"], "resource_missing")
        self.error(self.get(f"{PATH}/{made['id']}"), 404)
        self.assertEqual(self.json(self.get(PATH))["data"], [])

    def test_sixteen_are_enough(self):
        made = [self.create() for _ in range(16)]
        error = self.create(status=400)["error"]
        self.assertEqual(error["type"], "invalid_request_error")
        self.assertIn("16", error["message"])
        self.assertEqual(len(self.json(self.get(PATH + "?limit=100"))["data"]), 16)
        self.json(self.delete(made[3]["id"]))
        self.create()
        mine, self.account = self.account, self.account + "other"
        self.create()
        self.account = mine
        self.create(status=400)

    def test_another_account_cannot_touch_it(self):
        made = self.create()
        mine, self.account = self.account, self.account + "other"
        self.assertEqual(self.json(self.get(PATH))["data"], [])
        self.error(self.get(f"{PATH}/{made['id']}"), 404)
        self.error(self.delete(made["id"]), 404)
        self.error(self.pay(None, [], f"{PATH}/{made['id']}"), 404)
        self.account = mine
        self.assertEqual(len(self.json(self.get(PATH))["data"]), 1)

    def test_a_reset_forgets_them(self):
        self.create()
        self.psp.control("POST", "reset", account=self.account)
        self.assertEqual(self.json(self.get(PATH))["data"], [])


if __name__ == "__main__":
    main()
