"""Disputes: a bank takes a charge's money back, and the merchant argues, gives in or loses."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PspTest, main  # noqa: E402

WINS = "evidence[uncategorized_text]=winning_evidence"
LOSES = "evidence[uncategorized_text]=losing_evidence"


class Disputes(PspTest):
    def post(self, path, params="", status=200):
        return self.json(self.pay(None, params, path), status)

    def charge(self, source="tok_createDispute", more=""):
        return self.post("/v1/charges", f"amount=1000&currency=usd&source={source}{more}")

    def dispute(self):
        return self.fetch("disputes/" + self.charge()["dispute"])

    def fetch(self, path):
        return self.json(self.get("/v1/" + path))

    def balance(self):
        self.psp.charges(self.account)  # audits the books
        return self.fetch("balance")["available"][0]["amount"]

    def types(self):
        return [event["type"] for event in self.fetch("events?limit=100")["data"]][::-1]

    def refuse(self, dispute, params, path=""):
        return self.error(self.pay(None, params, f"/v1/disputes/{dispute['id']}{path}"), 400)

    def test_the_charge_succeeds_and_its_money_is_taken_back(self):
        for source in ("tok_createDispute", "pm_card_createDispute"):
            charge = self.charge(source)
            self.assertEqual((charge["status"], charge["disputed"]), ("succeeded", True))
        self.assertEqual(self.balance(), 0)
        dispute = self.fetch("disputes/" + charge["dispute"])
        wanted = {"object": "dispute", "amount": 1000, "currency": "usd", "charge": charge["id"],
                  "status": "needs_response", "reason": "fraudulent", "metadata": {},
                  "payment_intent": None, "is_charge_refundable": False}
        self.assertEqual({name: dispute[name] for name in wanted}, wanted)
        self.assertEqual([one["amount"] for one in dispute["balance_transactions"]], [-1000])
        movement = self.fetch("balance_transactions?limit=1")["data"][0]
        self.assertEqual(dispute["balance_transactions"], [movement])
        self.assertEqual((movement["type"], movement["reporting_category"], movement["source"]),
                         ("adjustment", "dispute", dispute["id"]))

    def test_payments_in_any_number_of_steps(self):
        params = [("amount", "700"), ("currency", "usd"), ("confirm", "true"),
                  ("payment_method", "pm_card_createDisputeProductNotReceived")]
        intent = self.json(self.pay(params=params))
        self.assertEqual(intent["status"], "succeeded")
        dispute = self.fetch("disputes?payment_intent=" + intent["id"])["data"][0]
        self.assertEqual((dispute["reason"], dispute["charge"]),
                         ("product_not_received", intent["latest_charge"]))
        charge = self.charge(more="&capture=false")
        self.assertFalse(charge["disputed"])
        charge = self.post(f"/v1/charges/{charge['id']}/capture", "amount=400")
        self.assertTrue(self.fetch("charges/" + charge["id"])["disputed"])
        self.assertEqual(self.fetch("disputes/" + self.fetch("charges/" + charge["id"])["dispute"])
                         ["amount"], 400)
        self.assertEqual(self.balance(), 0)

    def test_winning_evidence_brings_the_money_back(self):
        dispute = self.dispute()
        won = self.post("/v1/disputes/" + dispute["id"], WINS)
        self.assertEqual(won["status"], "won")
        self.assertEqual(won["evidence"]["uncategorized_text"], "winning_evidence")
        self.assertIsNone(won["evidence"]["receipt"])
        self.assertEqual([one["amount"] for one in won["balance_transactions"]], [-1000, 1000])
        self.assertTrue(won["is_charge_refundable"])
        self.assertEqual(won["evidence_details"]["submission_count"], 1)
        self.assertEqual(self.balance(), 1000)
        self.assertEqual(self.fetch("disputes/" + won["id"]), won)
        self.assertEqual(self.types()[-3:], ["charge.dispute.funds_withdrawn",
                                             "charge.dispute.funds_reinstated",
                                             "charge.dispute.closed"])
        self.refuse(won, WINS)
        self.refuse(won, "", "/close")
        self.assertEqual(self.balance(), 1000)

    def test_losing_evidence_does_not(self):
        lost = self.post("/v1/disputes/" + self.dispute()["id"], LOSES)
        self.assertEqual((lost["status"], self.balance()), ("lost", 0))
        self.assertEqual(self.types()[-1], "charge.dispute.closed")

    def test_evidence_is_gathered_and_then_submitted(self):
        dispute = self.dispute()
        path = "/v1/disputes/" + dispute["id"]
        self.assertFalse(dispute["evidence_details"]["has_evidence"])
        self.post(path, "submit=false&evidence[receipt]=file_1&evidence[customer_name]=Ann")
        changed = self.post(path, "submit=false&evidence[customer_name]=")
        self.assertEqual((changed["status"], changed["evidence"]["receipt"],
                          changed["evidence"]["customer_name"]), ("needs_response", "file_1", None))
        self.assertEqual(self.types()[-1], "charge.dispute.updated")
        reviewed = self.post(path, "submit=true")
        self.assertEqual(reviewed["status"], "under_review")
        self.refuse(dispute, "evidence[receipt]=file_2")
        self.refuse(dispute, "", "/close")

    def test_the_bank_decides_what_is_under_review(self):
        for outcome, balance in (("lost", 0), ("won", 1000)):
            dispute = self.dispute()
            path = f"disputes/{dispute['id']}/complete"
            self.refused(path, {"outcome": outcome}, 400)
            self.post("/v1/disputes/" + dispute["id"], "evidence[receipt]=file_1")
            for wrong in ({}, {"outcome": "maybe"}):
                self.refused(path, wrong, 400)
            decided = self.psp.control("POST", path, {"outcome": outcome}, self.account)
            self.assertEqual((decided["status"], self.balance()), (outcome, balance))
            self.assertEqual(self.fetch("disputes/" + dispute["id"]), decided)
            self.assertEqual(self.types()[-1], "charge.dispute.closed")
            self.assertIsNone(self.fetch("events?limit=1")["data"][0]["request"]["id"])
            self.refused(path, {"outcome": outcome}, 400)
        self.refused("disputes/du_1/complete", {"outcome": "won"}, 404)

    def refused(self, path, body, status):
        answer = self.psp.ask("POST", "/_mock/" + path, None, body)
        self.assertEqual(answer.status, status, answer.body)

    def test_closing_gives_in(self):
        dispute = self.dispute()
        lost = self.post(f"/v1/disputes/{dispute['id']}/close")
        self.assertEqual((lost["status"], self.balance()), ("lost", 0))
        self.refuse(dispute, "", "/close")

    def test_metadata_can_always_be_changed(self):
        path = "/v1/disputes/" + self.dispute()["id"]
        self.post(path + "/close")
        self.post(path, "metadata[a]=1&metadata[b]=2")
        changed = self.post(path, "metadata[a]=&metadata[c]=3")
        self.assertEqual((changed["metadata"], changed["status"]), ({"b": "2", "c": "3"}, "lost"))

    def test_what_is_disputed_is_not_refunded_unless_it_was_won(self):
        dispute = self.dispute()
        refund = "amount=1&charge=" + dispute["charge"]
        self.assertEqual(self.error(self.pay(None, refund, "/v1/refunds"), 400)["code"],
                         "charge_disputed")
        self.post("/v1/disputes/" + dispute["id"], WINS)
        self.post("/v1/refunds", refund)
        self.assertEqual(self.balance(), 999)

    def test_evidence_has_a_deadline(self):
        account, self.account = self.account, self.account + "late"
        dispute = self.dispute()
        self.psp.advance("10d")
        self.assertTrue(self.fetch("disputes/" + dispute["id"])["evidence_details"]["past_due"])
        self.refuse(dispute, WINS)
        self.post(f"/v1/disputes/{dispute['id']}/close")
        self.account = account

    def test_an_effect_of_its_own_and_no_second_charge(self):
        self.charge(more="&metadata[order_id]=order-1")
        effects = [entry for entry in self.psp.journal(self.account) if entry["kind"] == "effect"]
        self.assertEqual([(one["data"]["object"], one["order"]) for one in effects],
                         [("charge", "order-1"), ("dispute", "order-1")])
        self.assertEqual(len(self.psp.charges(self.account)), 1)
        self.assertEqual(len(self.psp.ledger(self.account)["disputes"]), 1)

    def test_lists_and_expands(self):
        first, second = self.dispute(), self.dispute()
        self.assertEqual(self.fetch("disputes")["data"], [second, first])
        self.assertEqual(self.fetch("disputes?charge=" + first["charge"])["data"], [first])
        page = self.fetch("disputes?limit=1")
        self.assertTrue(page["has_more"])
        self.assertEqual(self.fetch("disputes?starting_after=" + second["id"])["data"], [first])
        expanded = self.fetch(f"disputes/{first['id']}?expand[]=charge.dispute")
        self.assertEqual(expanded["charge"]["dispute"], first)

    def test_refusals(self):
        dispute = self.dispute()
        self.assertEqual(self.refuse(dispute, "evidence[x]=1")["code"], "parameter_unknown")
        self.assertEqual(self.refuse(dispute, "evidence=1")["code"], "parameter_unknown")
        self.assertEqual(self.refuse(dispute, "x=1")["code"], "parameter_unknown")
        self.refuse(dispute, "submit=maybe")
        for path in ("du_1", "du_1/close"):
            error = self.error(self.pay(None, "", "/v1/disputes/" + path), 404)
            self.assertEqual(error["code"], "resource_missing")
        self.error(self.get("/v1/disputes/" + dispute["id"], self.account + "b"), 404)
        self.assertEqual(self.fetch("disputes/" + dispute["id"]), dispute)


if __name__ == "__main__":
    main()
