"""One key, two requests: the same one in another spelling, another one, and two at once."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, PspTest, main, wait_until  # noqa: E402
from raw_http import request  # noqa: E402


class SameRequest(PspTest):
    """What makes two requests the same request: method, path and parameters, nothing else."""

    def assertSame(self, params, again, headers=()):
        first = self.pay("key", params)
        self.assertFirst(first)
        self.assertReplay(self.pay("key", again, headers=headers), first)

    def test_the_order_of_fields_does_not_matter(self):
        self.assertSame(PAYMENT, list(reversed(PAYMENT)))

    def test_literal_and_encoded_brackets_are_the_same(self):
        self.assertSame("amount=1&currency=usd&metadata[order_id]=6735",
                        "metadata%5border%5Fid%5D=6735&amount=1&currency=usd")

    def test_plus_and_percent_20_are_the_same(self):
        self.assertSame("amount=1&currency=usd&description=two+words",
                        "amount=1&currency=usd&description=two%20words")

    def test_stray_ampersands_are_nothing(self):
        self.assertSame("amount=1&currency=usd", "&&amount=1&&currency=usd&")

    def test_headers_are_no_part_of_it(self):
        telemetry = [("X-Stripe-Client-Telemetry", '{"last_request_metrics":{"request_id":"req_1"}}'),
                     ("User-Agent", "other/2"), ("Stripe-Version", "2019-01-01")]
        self.assertSame(PAYMENT, PAYMENT, telemetry)

    def test_chunked_or_not_is_no_part_of_it(self):
        first = self.pay("key")
        data = request("POST", "/v1/payment_intents", self.account, None, "key",
                       [("Transfer-Encoding", "chunked")])
        with self.psp.connect() as connection:
            connection.send(data)
            for piece in (b"amount=2000&curr", b"ency=usd&payment_method=pm_card_visa&confirm=true"):
                connection.send(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.assertReplay(connection.send(b"0\r\n\r\n").answer(), first)

    def test_parameters_in_the_query_count_as_parameters(self):
        first = self.pay("key", "amount=1&currency=usd")
        self.assertReplay(self.pay("key", "amount=1", "/v1/payment_intents?currency=usd"), first)


class OtherRequest(PspTest):
    """Another request under a known key is refused, and leaves no trace."""

    def refused(self, key, params, path="/v1/payment_intents"):
        answer = self.pay(key, params, path)
        error = self.error(answer, 400)
        self.assertEqual(error["type"], "idempotency_error")
        self.assertNotIn("code", error)
        self.assertIsNone(answer.header("idempotent-replayed"))
        self.assertEqual(answer.header("idempotency-key"), key)
        return error

    def test_other_parameters(self):
        first = self.pay("key", "amount=1&currency=usd&metadata[a]=b")
        for other in ("amount=2&currency=usd&metadata[a]=b", "amount=1&currency=usd",
                      "amount=1&currency=usd&metadata[a]=c", "amount=1&currency=usd&metadata[b]=b",
                      "amount=1&currency=usd&metadata[a]=b&description=new",
                      "amount=1&currency=usd&metadata[a]=b&amount=1",
                      "amount=1&currency=usd&metadata[ab]=", "amount=1&currency=USD&metadata[a]=b"):
            with self.subTest(other=other):
                self.refused("key", other)
        self.assertReplay(self.pay("key", "amount=1&currency=usd&metadata[a]=b"), first)
        self.assertCharges(0)

    def test_the_refusal_comes_before_the_parameters_are_checked(self):
        self.pay("key")
        self.refused("key", "amount=nonsense")

    def test_fields_cannot_be_shifted_into_one_another(self):
        first = self.pay("key", "amount=1&currency=usd&metadata[a]=bc")
        self.assertFirst(first)
        self.refused("key", "amount=1&currency=usd&metadata[ab]=c")

    def test_other_endpoint_names_both_paths(self):
        self.pay("key")
        message = self.refused("key", "amount=2000&currency=usd", "/v1/charges")["message"]
        self.assertIn("/v1/payment_intents", message)
        self.assertIn("/v1/charges", message)
        self.assertCharges(1)

    def test_another_object_of_the_same_endpoint_is_another_path(self):
        ids = [self.json(self.pay(params="amount=1&currency=usd"))["id"] for _ in range(2)]
        paths = [f"/v1/payment_intents/{one}/confirm" for one in ids]
        self.assertFirst(self.pay("key", "payment_method=pm_card_visa", paths[0]))
        message = self.refused("key", "payment_method=pm_card_visa", paths[1])["message"]
        for path in paths:
            self.assertIn(path, message)
        self.assertCharges(1)

    def test_after_a_decline_too(self):
        declined = "amount=1&currency=usd&confirm=true&payment_method=pm_card_chargeDeclined"
        self.assertEqual(self.pay("key", declined).status, 402)
        self.refused("key", declined.replace("pm_card_chargeDeclined", "pm_card_visa"))
        self.assertCharges(0)


class InFlight(PspTest):
    """Two requests with one key at the same time: the second is told to come back."""

    def refused(self):
        answer = self.pay("key")
        error = self.error(answer, 409)
        self.assertEqual((error["type"], error["code"]),
                         ("invalid_request_error", "idempotency_key_in_use"))
        for name in ("idempotent-replayed", "stripe-should-retry"):
            self.assertIsNone(answer.header(name))

    def test_a_twin_gets_409_and_the_first_succeeds(self):
        def three_twins():
            for _ in range(3):
                self.refused()
            self.assertCharges(0)
        first = self.while_it_waits("before_commit", three_twins)
        self.assertFirst(first)
        self.assertReplay(self.pay("key"), first)  # the 409 was not stored
        self.assertCharges(1)

    def test_nobody_else_has_to_wait(self):
        def others():
            self.assertFirst(self.pay("another key"))
            self.assertFirst(self.pay("key", account=self.account + "other"))
            self.assertEqual(self.get("/v1/charges").status, 200)
        self.assertFirst(self.while_it_waits("before_commit", others))
        self.assertCharges(2)

    def test_other_parameters_are_a_mismatch_even_now(self):
        def other():
            error = self.error(self.pay("key", "amount=1&currency=usd"), 400)
            self.assertEqual(error["type"], "idempotency_error")
        self.assertFirst(self.while_it_waits("before_commit", other))

    def test_in_a_delay_before_the_key_is_claimed_the_twin_is_the_first(self):
        twins = []
        second = self.while_it_waits("received", lambda: twins.append(self.pay("key")))
        self.assertFirst(twins[-1])
        self.assertReplay(second, twins[-1])
        self.assertCharges(1)

    def test_in_a_delay_after_the_commit_the_twin_gets_the_answer(self):
        twins = []
        first = self.while_it_waits("after_commit", lambda: twins.append(self.pay("key")))
        self.assertFirst(first)
        self.assertReplay(twins[-1], first)
        self.assertCharges(1)

    def test_a_hang_before_the_commit_has_let_go_of_the_key(self):
        self.psp.faults({"on": "POST *", "nth": 1, "at": "before_commit", "act": {"kind": "hang"}},
                        account=self.account)
        with self.psp.connect() as connection:
            connection.send(request("POST", "/v1/payment_intents", self.account, PAYMENT, "key"))
            self.psp.wait_for_fault(self.account, "before_commit")
            first = self.pay("key")
            self.assertFirst(first)
            self.assertTrue(connection.silent())
        self.assertReplay(self.pay("key"), first)
        self.assertCharges(1)

    def test_a_client_that_gives_up_does_not_stop_the_first(self):
        self.while_it_waits("before_commit", self.refused, gone=True)
        wait_until(lambda: self.psp.charges(self.account), "its charge")
        self.assertEqual(self.pay("key").header("idempotent-replayed"), "true")
        self.assertCharges(1)

    def test_24_hours_later_one_in_flight_is_still_in_flight(self):
        def a_day_later():
            self.psp.advance("25h")
            self.refused()
        self.assertFirst(self.while_it_waits("before_commit", a_day_later))
        self.assertCharges(1)


if __name__ == "__main__":
    main()
