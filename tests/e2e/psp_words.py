"""--help, /_mock/ and mockpsp/README.md list the same requests, control calls, dialects and options: the
first two from the same tables, and the README is held to them here."""
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import MOCKPSP, Mockpsp, main  # noqa: E402


def root(path):
    """/v1/charges/{id}/capture -> /v1/charges"""
    return "/".join(path.split("/")[:3 if re.match(r"/v\d+/", path) else 2])


class SameWords(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        psp = Mockpsp("--quiet")
        cls.index = psp.control("GET", "")
        psp.clean()
        cls.help = subprocess.run([MOCKPSP, "--help"], capture_output=True, text=True,
                                  check=True).stdout
        with open(os.path.join(os.environ["SOURCE_DIR"], "mockpsp/README.md"),
                  encoding="utf-8") as file:
            cls.readme = file.read()

    def mentioned(self, words):
        self.assertTrue(words in self.readme, f"mockpsp/README.md does not mention {words}")

    def test_the_index_is_not_empty(self):
        for part, least in (("requests", 14), ("control", 11), ("dialects", 12), ("options", 16)):
            self.assertGreaterEqual(len(self.index[part]), least, part)

    def test_requests(self):
        said = set(re.findall(r"^  (GET|POST|DELETE|PUT) +(/(?!_mock)\S*)$", self.help, re.M))
        self.assertEqual(said, {(row["method"], row["path"]) for row in self.index["requests"]})
        for path in sorted({root(row["path"]) for row in self.index["requests"]}):
            self.mentioned(f"`{path}`")

    def test_control_calls(self):
        said = set(re.findall(r"^  (GET|POST|DELETE|PUT) +(/_mock/\S*) ", self.help, re.M))
        self.assertEqual(said, {(row["method"], row["path"]) for row in self.index["control"]})
        for row in self.index["control"]:
            self.assertIn(row["does"], self.help)
            self.mentioned(f"`{row['path']}`")

    def test_dialects(self):
        for name in self.index["dialects"]:
            self.assertRegex(self.help, rf"(?m)^  {re.escape(name)} +keys in ")
            self.mentioned(f"`{name}`")

    def test_members_of_a_dialect(self):
        psp = Mockpsp("--quiet")
        members = psp.control("GET", "dialect")["dialect"]
        psp.clean()
        path = os.path.join(os.environ["SOURCE_DIR"], "scenarios/README.md")
        with open(path, encoding="utf-8") as file:
            section = file.read().split("## A dialect of your own")[1].split("\n## ")[0]
        rows = re.findall(r"^\| (`.*?) \|", section, re.M)
        self.assertEqual(sorted(re.findall(r"`(\w+)`", " ".join(rows))), sorted(members))

    def test_options(self):
        said = re.findall(r"^  --([a-z-]+)", self.help, re.M)
        self.assertEqual(said, [row["name"] for row in self.index["options"]])
        for row in self.index["options"]:
            self.assertIn(row["help"], self.help)
            self.mentioned(f"`--{row['name']}`")


if __name__ == "__main__":
    main()
