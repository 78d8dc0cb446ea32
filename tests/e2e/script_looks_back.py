"""history and now() in both programs: an event is there before the question that follows it."""
import json
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, main, new_account  # noqa: E402

CAREFUL = os.path.join(os.environ["SOURCE_DIR"], "scenarios", "clients", "careful.sh")

# Raises an error when an event is missing at the question that has to see it.
WATCH = """
local function count(kind, req)
    return history.count { kind = kind, request = req.number }
end
local function watch(req)
    assert(history[1].kind == "up" and history[1].at == 0 and now() >= history[#history].at)
    assert(count("invoke", req) == 1, "no invoke at " .. req.at)
    if req.at == "before_commit" or req.at == "after_commit" then
        assert(count("effect", req) == (req.at == "after_commit" and 1 or 0), "at " .. req.at)
    end
end
"""


class LooksBack(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.TemporaryDirectory(prefix="psp-e2e.")
        self.addCleanup(self.home.cleanup)

    def write(self, text):
        path = os.path.join(self.home.name, "a.lua")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def play(self, text):
        done = subprocess.run(
            [os.environ["PSP_HARNESS"], "run", "--format", "json", self.write(text), "--", CAREFUL],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def start(self, text, *options):
        self.write(text)
        psp = Mockpsp("--quiet", "--faults", "a.lua", *options, home=self.home.name)
        self.addCleanup(psp.clean)
        return psp

    def test_the_provider_alone(self):
        psp = self.start(WATCH + """
            return scenario { faults = function(req)
                watch(req)
                if req.at == "received" and req.params["metadata[ask]"] then
                    return respond(418, '{"charges":' .. history.count { kind = "effect" }
                        .. ',"events":' .. #history .. ',"now":' .. now() .. '}')
                end
            end }""", "--clock", "manual")
        account = new_account()
        for _ in range(3):
            self.assertEqual(psp.ask("POST", "/v1/payment_intents", account, PAYMENT).status, 200)
        psp.advance("25h")
        answer = psp.ask("POST", "/v1/payment_intents", account, PAYMENT + [("metadata[ask]", "1")])
        self.assertEqual(answer.status, 418, psp.stderr())
        said = json.loads(answer.body)
        self.assertEqual((said["charges"], said["now"]), (3, 25 * 3600 * 1000))
        self.assertEqual(said["events"], 1 + 3 * 3 + 1 + 1)  # up, 3 payments, the clock, the invoke
        self.assertEqual(psp.stderr(), "")

    def test_conditions_and_functions_under_the_harness(self):
        status, said = self.play(WATCH + """
            return scenario { faults = function(req)
                watch(req)
                if req.at == "after_commit" and history.count { kind = "effect", order = req.order } == 1
                    and history.count { kind = "fault" } == 0 then
                    return drop()
                end
            end }""")
        self.assertEqual(status, 0, said)
        status, said = self.play(WATCH + """
            return scenario { faults = {
                { pays = true, at = "after_commit", act = drop(), when = function(req)
                    assert(history.count { kind = "invoke", request = req.number } == 1)
                    return history.count { kind = "effect" } == 0
                end },
            } }""")
        self.assertEqual(status, 0, said)

    def test_a_run_sees_what_came_of_it(self):
        status, said = self.play("""
            return scenario { run = function(world)
                assert(#history == 1 and history[1].kind == "up")
                world:start():wait()
                local claims, last = 0, nil
                for i, event in ipairs(history) do
                    last = event
                    if event.kind == "claim" then
                        claims = claims + 1
                        assert(event.order == world.orders[1].id)
                    end
                end
                assert(claims == 1 and last.at <= now())
                local before = now()
                world:advance("25h")
                assert(now() - before >= 25 * 3600 * 1000 and history[#history].kind == "clock")
                world:start(world.orders[1]):wait()
            end }""")
        self.assertEqual(status, 0, said)


if __name__ == "__main__":
    main()
