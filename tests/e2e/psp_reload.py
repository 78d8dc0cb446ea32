"""mockpsp --faults FILE.lua, edited while it runs: what is good comes into force, what is not does not
and is told, and an exchange under way ends with the version that it began with."""
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import PAYMENT, Mockpsp, main, new_account, wait_until  # noqa: E402
from raw_http import request  # noqa: E402


def answers(status):
    """A file whose faults answer everything with STATUS."""
    return f'return scenario {{ faults = {{\n{{ at = "received", act = respond({status}) }} }} }}\n'


BROKEN = "return scenario {\n faults = {\n  { at = 'received', act = dorp() } } }"


class Reload(unittest.TestCase):
    OPTIONS = ()

    def setUp(self):
        self.account = new_account()
        home = tempfile.TemporaryDirectory(prefix="psp-e2e.")
        self.addCleanup(home.cleanup)
        self.home = home.name
        self.path = os.path.join(self.home, "faults.lua")
        self.write(answers(418))
        self.psp = Mockpsp(*self.OPTIONS, "--faults", "faults.lua", home=self.home)
        self.addCleanup(self.end)
        self.assertEqual(self.status(), 418)

    def end(self):
        self.assertEqual(self.psp.stop(), 0)
        self.psp.clean()

    def write(self, text, name="faults.lua"):
        with open(os.path.join(self.home, name), "w", encoding="utf-8") as file:
            file.write(text)

    def status(self):
        return self.psp.ask("POST", "/v1/payment_intents", self.account, PAYMENT).status

    def comes(self, status):
        """Waits until requests are answered with STATUS."""
        wait_until(lambda: self.status() == status, f"{status}, while stderr says {self.psp.stderr()}")

    def says(self, *words, times=1):
        """Waits until stderr has said all of WORDS so many TIMES."""
        wait_until(lambda: all(self.psp.stderr().count(word) >= times for word in words),
                   f"{words} in {self.psp.stderr()}")


class Good(Reload):
    def test_a_file_written_anew_comes_into_force_and_says_what_is(self):
        self.write(answers(503))
        self.comes(503)
        self.says("faults.lua: loaded anew: in force from now on",
                  "respond 503 at received on * * (faults.lua:2)")

    def test_so_does_one_that_is_renamed_into_its_place(self):
        for status in (503, 504, 502):
            self.write(answers(status), "new")
            os.rename(os.path.join(self.home, "new"), self.path)
            self.comes(status)

    def test_and_one_behind_a_link(self):
        folder = os.path.join(self.home, "elsewhere")
        os.mkdir(folder)
        self.write(answers(503), "elsewhere/real.lua")
        os.symlink("elsewhere/real.lua", self.path + ".link")
        os.rename(self.path + ".link", self.path)
        self.comes(503)
        self.write(answers(504), "elsewhere/real.lua")  # no event in the folder tells of this
        self.comes(504)

    def test_without_faults_it_says_so(self):
        self.write("return scenario { title = 'calm' }")
        self.comes(200)
        self.says("faults.lua: loaded anew: no faults from now on")

    def test_several_actions_at_one_failpoint(self):
        self.write('return scenario { faults = {\n'
                   '{ at = "received", act = { delay("1ms"), respond(503) } } } }')
        self.comes(503)
        self.says("delay 1ms, then respond 503 at received on * *")

    def test_counting_starts_anew(self):
        once = answers(503).replace("at =", "nth = 1, at =")
        for _ in range(3):
            self.write(once)
            self.comes(503)
            self.assertEqual(self.status(), 200)

    def test_a_function_takes_the_place_of_a_list(self):
        self.write('return scenario { faults = function(req) return respond(503) end }')
        self.comes(503)
        self.says("what faults(req) returns (faults.lua)")

    def test_the_last_of_a_hundred_quick_versions_is_in_force(self):
        for status in range(400, 500):
            self.write(answers(status))
        self.comes(499)
        self.write(answers(200))
        self.comes(200)

    def test_a_thousand_faults_are_told_in_part(self):
        fault = '{ on = "GET /never", at = "received", act = drop() },\n'
        self.write("return scenario { faults = {" + fault * 1000 + "} }")
        self.says("  and 980 more")
        self.assertEqual(self.psp.stderr().count("drop at received on GET /never"), 20)


class Required(Reload):
    """A file that the script requires counts as well, in a folder below it too."""

    MAIN = 'local how = require "lib.how"\n' \
           'return scenario { faults = { { at = "received", act = respond(how.status) } } }'

    def setUp(self):
        super().setUp()
        os.mkdir(os.path.join(self.home, "lib"))
        self.write("return { status = 500 }", "lib/how.lua")
        self.write(self.MAIN)
        self.comes(500)

    def test_its_change_comes_into_force(self):
        self.write("return { status = 503 }", "lib/how.lua")
        self.comes(503)
        self.says("respond 503 at received on * *")

    def test_a_broken_one_is_told_with_its_own_name_and_mended_again(self):
        self.write("return {\n status = = }", "lib/how.lua")
        self.says("lib/how.lua:2: ", "stays in force")
        self.assertEqual(self.status(), 500)
        os.unlink(os.path.join(self.home, "lib/how.lua"))
        self.says("stays in force", times=2)
        self.assertEqual(self.status(), 500)
        self.write("return { status = 503 }", "lib/how.lua")
        self.comes(503)

    def test_one_that_is_missing_at_first_and_comes_later(self):
        self.write(self.MAIN.replace("lib.how", "other"))
        self.says("other", "stays in force")
        self.write("return { status = 504 }", "other.lua")  # nothing in force is made of it
        self.comes(504)

    def test_one_that_is_required_when_it_is_asked_is_no_change_and_its_change_is(self):
        self.write("""local asked = 0
            return scenario { faults = function(req)
                if req.at ~= "received" then return end
                asked = asked + 1
                return respond(require("lib.how").status + asked)
            end }""")
        self.says("loaded anew", times=2)
        self.assertEqual(self.status(), 501)
        time.sleep(1.2)  # a look, and what it would lead to: too short is no failure
        self.assertEqual(self.status(), 502)
        self.write("return { status = 510 }", "lib/how.lua")
        self.says("loaded anew", times=3)
        self.assertEqual(self.status(), 511)


class Broken(Reload):
    def stays(self, *words):
        """That WORDS are said, and what was in force still is."""
        self.says(*words, "faults.lua: not loaded: what was in force before stays in force")
        self.assertEqual(self.status(), 418)

    def test_a_broken_edit_is_told_with_its_line_and_changes_nothing(self):
        self.write(BROKEN)
        self.stays("faults.lua:3: 'dorp' is not defined")
        self.write(answers(503))
        self.comes(503)

    def test_the_next_mistake_is_told_as_well_and_the_same_one_is_not(self):
        self.write(BROKEN)
        self.stays("'dorp' is not defined")
        self.write(BROKEN)
        self.write(BROKEN + "\n")
        self.write(BROKEN.replace("dorp", "dropp"))
        self.stays("'dropp' is not defined")
        self.assertEqual(self.psp.stderr().count("'dorp' is not defined"), 1)

    def test_what_is_no_scenario(self):
        self.write("")
        self.stays("a scenario file ends with: return scenario")
        self.write("return 7")
        self.write("while true do end")
        self.stays("faults.lua:1: the script does not come back")
        self.write("-" * (1 << 20) + "\n" + answers(503))
        self.stays("faults.lua: larger than 1 MiB")
        self.write("\x1bLua")
        self.stays("faults.lua: attempt to load a binary chunk")
        self.write(answers(503))
        self.comes(503)

    def test_a_fault_that_only_the_harness_can_do(self):
        self.write('return scenario { faults = {\n{ at = "received", act = crash_client() } } }')
        self.stays("faults.lua:2: crash_client: only psp-harness can do that")

    def test_a_file_that_goes_and_comes_back(self):
        os.unlink(self.path)
        self.stays("faults.lua: cannot open it: No such file")
        self.write(answers(503))
        self.comes(503)

    def test_a_folder_or_a_fifo_in_its_place(self):
        os.unlink(self.path)
        os.mkdir(self.path)
        self.stays("faults.lua: is no file")
        os.rmdir(self.path)
        self.says("No such file")
        os.mkfifo(self.path)
        self.stays("faults.lua: is no file")
        os.unlink(self.path)
        self.write(answers(503))
        self.comes(503)

    @unittest.skipIf(os.geteuid() == 0, "root reads everything")
    def test_one_that_may_not_be_read_for_a_while(self):
        os.chmod(self.path, 0)
        self.stays("faults.lua: cannot open it: Permission denied")
        os.chmod(self.path, 0o600)
        self.says("loaded anew")
        self.assertEqual(self.status(), 418)

    def test_its_whole_folder_goes_and_comes_back(self):
        away = self.home + ".away"
        os.rename(self.home, away)
        self.addCleanup(shutil.rmtree, away, ignore_errors=True)
        os.mkdir(self.home)
        # Relative names go with the working directory, wherever it is now.
        with open(os.path.join(away, "faults.lua"), "w", encoding="utf-8") as file:
            file.write(answers(503))
        self.comes(503)

    def test_a_version_that_fails_later_is_told_once_each(self):
        fails = "return scenario { faults = function(req) local x = req.params.nope.x end }\n"
        for times in (1, 2):
            self.write(fails + "-- %d" % times)
            self.says("loaded anew", times=times)
            self.assertEqual([self.status() for _ in range(3)], [200] * 3)
            self.assertEqual(self.psp.stderr().count("attempt to index a nil value"), times)


class UnderWay(Reload):
    def test_an_exchange_ends_with_the_version_that_it_began_with(self):
        slow = """return scenario { faults = {
            { at = "received", act = delay("%s") },
            { at = "after_commit", act = respond(%d) } } }"""
        self.write(slow % ("2s", 503))
        self.says("loaded anew")
        with self.psp.connect() as old:
            old.send(request("POST", "/v1/payment_intents", self.account, PAYMENT))
            self.psp.wait_for_fault(self.account, "received")
            for n, status in enumerate((500, 502, 504), start=2):
                self.write(slow % ("0ms", status))
                self.says("loaded anew", times=n)
                self.assertEqual(self.status(), status)
            self.write(BROKEN)
            self.says("'dorp' is not defined")
            self.assertEqual(old.answer().status, 503)
        self.assertEqual(self.status(), 504)

    def test_and_one_that_hangs_holds_its_version_to_the_end_of_the_provider(self):
        self.write('return scenario { faults = { { nth = 1, at = "received", act = hang() } } }')
        self.says("loaded anew")
        with self.psp.connect() as old:
            old.send(request("POST", "/v1/payment_intents", self.account, PAYMENT))
            self.psp.wait_for_fault(self.account, "received")
            self.write(answers(503))
            self.comes(503)
            self.assertTrue(old.silent())
            self.end()

    def test_while_eight_clients_pay_and_the_file_changes_each_is_answered_by_one_version(self):
        text = 'return scenario { faults = function(req)\n' \
               'if req.at == "received" then return respond(%d) end end }'
        self.write(text % 500)
        self.comes(500)
        seen = set()
        connections = [self.psp.connect() for _ in range(8)]
        for round_number in range(60):
            if round_number % 3 == 0:
                self.write(text % (500 + round_number % 2))
            for connection in connections:
                connection.send(request("POST", "/v1/payment_intents", self.account, PAYMENT))
            seen |= {connection.answer().status for connection in connections}
        for connection in connections:
            connection.close()
        self.assertLessEqual(seen, {500, 501})


class Quiet(Reload):
    OPTIONS = ("--quiet",)

    def test_a_good_edit_is_not_told_and_a_broken_one_is(self):
        self.write(answers(503))
        self.comes(503)
        self.assertEqual(self.psp.stderr(), "")
        self.write(BROKEN)
        self.says("faults.lua:3: 'dorp' is not defined", "stays in force")

    def test_a_database_beside_it_is_no_news(self):
        self.end()
        self.psp = Mockpsp("--faults", "faults.lua", "--db", "psp.db", home=self.home)
        self.assertEqual([self.status() for _ in range(50)], [418] * 50)
        self.write(answers(503))
        self.comes(503)
        self.assertEqual(self.psp.stderr().count("loaded anew"), 1)


class AtTheStart(unittest.TestCase):
    def test_a_broken_file_is_still_refused(self):
        with tempfile.TemporaryDirectory(prefix="psp-e2e.") as home:
            path = os.path.join(home, "faults.lua")
            with open(path, "w", encoding="utf-8") as file:
                file.write(BROKEN)
            ended = subprocess.run([os.environ["MOCKPSP"], "--port", "0", "--faults", path],
                                   capture_output=True, text=True, check=False)
            self.assertEqual(ended.returncode, 2)
            self.assertIn(f"{path}:3: 'dorp' is not defined", ended.stderr)


if __name__ == "__main__":
    main()
