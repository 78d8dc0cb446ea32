"""mockpsp --faults FILE.lua: the faults of a scenario without the harness; and what becomes of files
that are wrong, at the start and later."""
import os
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, main, new_account  # noqa: E402
from raw_http import NoAnswer  # noqa: E402

HANG = "while true do pcall(function() while true do end end) end"


class Lua(unittest.TestCase):
    def setUp(self):
        self.account = new_account()

    def start(self, text, must_start=True):
        """A provider with the faults that TEXT says."""
        home = tempfile.TemporaryDirectory(prefix="psp-e2e.")
        self.addCleanup(home.cleanup)
        with open(os.path.join(home.name, "faults.lua"), "w", encoding="utf-8") as file:
            file.write(text)
        psp = Mockpsp("--quiet", "--faults", "faults.lua", home=home.name, must_start=must_start)
        self.addCleanup(psp.clean)
        return psp

    def pay(self, psp, key=None):
        return psp.ask("POST", "/v1/payment_intents", self.account, PAYMENT, key)

    def assertRefused(self, text, why):
        """That mockpsp does not start with TEXT, ends with 2, and says WHY."""
        psp = self.start(text, must_start=False)
        self.assertEqual(psp.process.wait(), 2)
        self.assertIn(why, psp.stderr())

    def test_a_fault_strikes_once_and_the_key_knows_the_answer(self):
        psp = self.start("""
            return scenario { faults = {
                { on = "POST *", attempt = 1, at = "after_commit", act = drop() },
            } }""")
        with self.assertRaises(NoAnswer):
            self.pay(psp, "key")
        answer = self.pay(psp, "key")
        self.assertEqual(answer.status, 200)
        self.assertEqual(answer.header("idempotent-replayed"), "true")
        self.assertEqual(len(psp.charges(self.account)), 1)
        self.assertEqual(psp.stop(), 0)

    def test_a_function_sees_the_request_and_answers_it(self):
        psp = self.start("""
            return scenario { faults = function(req)
                if req.at == "received" and req.amount == 2000 and req.key == "key"
                    and req.params["payment_method"] == "pm_card_visa" then
                    return respond(418, '{"i_am":"' .. req.path .. '"}', {["X-Tea"] = 1})
                end
            end }""")
        answer = self.pay(psp, "key")
        self.assertEqual((answer.status, answer.header("x-tea")), (418, "1"))
        self.assertEqual(answer.body, b'{"i_am":"/v1/payment_intents"}')
        self.assertEqual(self.pay(psp, "other").status, 200)
        self.assertEqual(len(psp.charges(self.account)), 1)

    def test_a_script_that_fails_is_told_once_and_requests_go_on(self):
        psp = self.start("return scenario { faults = function(req)\n"
                         "local x = req.key.nope.x end }")
        self.assertEqual([self.pay(psp).status for _ in range(3)], [200] * 3)
        said = psp.stderr()
        self.assertEqual(said.count("faults.lua:2: attempt to index a nil value"), 1, said)
        self.assertIn("stack traceback:", said)
        self.assertEqual(psp.stop(), 0)

    def test_a_script_that_never_comes_back_does_not_hold_requests_up(self):
        psp = self.start("return scenario { faults = function(req)\n"
                         f"if req.at == 'received' then {HANG} end end }}")
        self.assertEqual(self.pay(psp).status, 200)
        self.assertIn("faults.lua:2: the script does not come back", psp.stderr())

    def test_files_that_are_wrong_are_refused_with_file_and_line(self):
        self.assertRefused("return scenario {\n}}", "faults.lua:2: ")
        self.assertRefused("return scenario {\n faults = { { at = 'received', act = dorp() } } }",
                           "faults.lua:2: 'dorp' is not defined (did you mean drop?)")
        self.assertRefused("return scenario { faults = {\n{ at = 'recieved', act = drop() } } }",
                           "faults.lua:2: fault 1: 'recieved' is no failpoint (did you mean received?)")
        self.assertRefused("io.open('/etc/passwd')", "faults.lua:1: 'io' is not defined")
        self.assertRefused(HANG, "faults.lua:1: the script does not come back")
        self.assertRefused("\x1bLua", "faults.lua: attempt to load a binary chunk")

    def test_what_is_done_to_clients_is_for_the_harness(self):
        self.assertRefused("return scenario { faults = {\n{ at = 'received', act = crash_client() } } }",
                           "faults.lua:2: crash_client: only psp-harness can do that")
        self.assertRefused("return scenario { faults = {\n{ at = 'received', "
                           "act = { pause_client('1s'), drop() } } } }",
                           "faults.lua:2: pause_client: only psp-harness can do that")


if __name__ == "__main__":
    main()
