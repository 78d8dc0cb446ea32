"""What a run writes for pipelines and programs: TAP, JUnit, JSON, HTML, GitHub's annotations. Each is
read by a reader that knows nothing of us."""
import html.parser
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree

PSP_HARNESS = os.environ["PSP_HARNESS"]
SCENARIOS = os.path.join(os.environ["SOURCE_DIR"], "scenarios")
NAIVE = os.path.join(os.environ["BUILD_DIR"], "client-naive-c")
PLAYED = ["a00_everything_works", "b10_response_dropped_after_commit", "c20_error_after_commit"]

# One that cannot strike, and whose title and path try to break out of everything.
ODD = """return scenario {
    title = "odd: <b> & ]]> \\"x\\" # | 100% ::error::",
    faults = { { on = "GET /nowhere", at = "received", act = drop() } },
}
"""


class Reports(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.home = tempfile.mkdtemp(prefix="psp-test.")
        cls.odd = os.path.join(cls.home, "o<d>&d, 1.lua")
        with open(cls.odd, "w", encoding="utf-8") as file:
            file.write(ODD.replace("\\\\", "\\"))

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.home)

    def run_harness(self, *options, environment=None, scenarios=None, status=1):
        files = [os.path.join(SCENARIOS, name + ".lua") for name in PLAYED] + [self.odd]
        done = subprocess.run(
            [PSP_HARNESS, "run", *options, *(files if scenarios is None else scenarios), "--", NAIVE],
            capture_output=True, text=True, check=False,
            env={**os.environ, "TMPDIR": self.home, **(environment or {})})
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout

    def test_tap(self):
        lines = self.run_harness("--format", "tap").splitlines()
        self.assertEqual(lines[:2], ["TAP version 14", "1..4"])
        tests = [line for line in lines if re.match(r"(not )?ok ", line)]
        self.assertEqual([re.match(r"(not ok|ok) (\d+) - (.*?): ", line).groups() for line in tests],
                         [("ok", "1", PLAYED[0]), ("not ok", "2", PLAYED[1]),
                          ("not ok", "3", PLAYED[2]), ("not ok", "4", "o<d>&d, 1")])
        self.assertNotRegex(tests[3], r"(?<!\\)#")
        between = lines[lines.index(tests[1]) + 1:lines.index(tests[2])]
        self.assertEqual((between[0], between[-1]), ("  ---", "  ..."))
        self.assertTrue(all(line.startswith("  ") for line in between))
        self.assertIn("  verdict: fail", between)
        self.assertTrue(any("charged twice" in line for line in between))

    def test_files(self):
        folder = os.path.join(self.home, "deep", "er")
        self.run_harness("--report", folder)
        self.assertEqual(sorted(os.listdir(folder)), ["junit.xml", "report.html", "report.json"])

        suite = xml.etree.ElementTree.parse(os.path.join(folder, "junit.xml")).getroot()[0]
        self.assertEqual([suite.get(name) for name in ("tests", "failures", "errors")],
                         ["4", "2", "1"])
        cases = {case.get("name").split(": ")[0]: case for case in suite}
        self.assertEqual(len(cases), 4)
        self.assertEqual(len(cases[PLAYED[0]]), 0)
        failure = cases[PLAYED[1]].find("failure")
        self.assertIn("charged_once", failure.get("message"))
        self.assertIn("the story of order_1", failure.text)
        self.assertIn("replay:", failure.text)
        self.assertEqual(cases["o<d>&d, 1"].find("error").get("type"), "inconclusive")

        with open(os.path.join(folder, "report.json"), encoding="utf-8") as file:
            report = json.load(file)
        self.assertEqual([one["verdict"] for one in report["scenarios"]],
                         ["pass", "fail", "fail", "inconclusive"])

        text = []
        reader = html.parser.HTMLParser()
        reader.handle_data = text.append
        with open(os.path.join(folder, "report.html"), encoding="utf-8") as file:
            source = file.read()
        reader.feed(source)
        self.assertIn('odd: <b> & ]]> "x" # | 100% ::error::', "".join(text))
        self.assertNotIn("<b>", source)
        self.assertNotRegex(source, r"(?i)<script|<link|https?://(?!127\.0\.0\.1)")

    def test_twins_in_two_folders_have_two_names(self):
        other = os.path.join(self.home, "twin")
        os.makedirs(other)
        twin = shutil.copy(os.path.join(SCENARIOS, PLAYED[0] + ".lua"), other)
        folder = os.path.join(self.home, "twins")
        self.run_harness("--report", folder, status=0,
                         scenarios=[twin, os.path.join(SCENARIOS, PLAYED[0] + ".lua")])
        suite = xml.etree.ElementTree.parse(os.path.join(folder, "junit.xml")).getroot()[0]
        self.assertEqual(len({case.get("name") for case in suite}), 2)

    def test_github(self):
        summary = os.path.join(self.home, "summary.md")
        with open(summary, "w", encoding="utf-8") as file:
            file.write("before\n")
        out = self.run_harness("--format", "github", environment={"GITHUB_STEP_SUMMARY": summary})
        commands = [line for line in out.splitlines() if line.startswith("::")]
        self.assertEqual(len(commands), 2, commands)  # one cause in two scenarios, one fault unstruck
        self.assertRegex(commands[0], r"^::error file=[^,:]*b10_\w+\.lua,line=1,title=charged_once")
        self.assertIn("(and in 1 more scenarios)", commands[0])
        self.assertIn("o<d>&d%2C 1.lua", commands[1])
        with open(summary, encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.startswith("before\n## psp-harness\n"))
        rows = [line for line in text.splitlines() if line.startswith("| ")]
        self.assertEqual(len(rows), 5)
        for row in rows:
            self.assertEqual(len(re.findall(r"(?<!\\)\|", row)), 5, row)
        self.assertIn("      charged_once: ", text)

    def test_what_cannot_be_written_is_said(self):
        file = os.path.join(self.home, "file")
        with open(file, "w", encoding="utf-8"):
            pass
        self.run_harness("--report", file, status=2)
        self.run_harness("--format", "xml", status=2)
        folder = os.path.join(self.home, "taken")
        os.makedirs(os.path.join(folder, "junit.xml"))
        self.run_harness("--report", folder, status=4)


if __name__ == "__main__":
    unittest.main()
