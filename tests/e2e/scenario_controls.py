#!/usr/bin/python3
"""Every scenario says what it is for, and is worth its place: its control, the client that makes the
mistake it names, breaks the invariant it names and no other, and the same client without a mistake
passes. The controls are played by the quick programs, who passes by the sanitized ones.

    scenario_controls.py --catalogue >scenarios/CATALOGUE.md
"""
import concurrent.futures
import glob
import json
import os
import re
import subprocess
import sys
import unittest

SOURCE = os.environ.get("SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
SCENARIO_DIR = os.path.join(SOURCE, "scenarios")
CARELESS = os.path.join(SCENARIO_DIR, "clients", "careless.py")
LISTENER = os.path.join(SCENARIO_DIR, "clients", "careless_listener.py")
CATALOGUE = os.path.join(SOURCE, "scenarios", "CATALOGUE.md")
PASS, FAIL = 0, 1
AT_ONCE = 4  # worlds mostly wait, and another test may want the second core

HEAD = """\
# The scenarios

What goes wrong, and the mistake that has to fail there: `scenarios/clients/careless.py --mistake NAME`
(`careless_listener.py` in `webhooks/`) makes it and no other, and breaks that invariant; without a
mistake it passes, as the careful clients do. Why a scenario exists and what else it catches is told
in the file. This table is made by `tests/e2e/scenario_controls.py --catalogue`, which tests it too.

| scenario | what happens | its control | breaks |
|---|---|---|---|
"""


class Scenario:
    """What the file says of itself: a comment, and the title."""

    def __init__(self, path):
        self.path = path
        self.name = os.path.relpath(path, SCENARIO_DIR).removesuffix(".lua")
        self.client = LISTENER if self.name.startswith("webhooks/") else CARELESS
        with open(path, encoding="utf-8") as file:
            text = file.read()
        comment, _, code = text.partition("return scenario")
        comment = " ".join(line.removeprefix("--").strip() for line in comment.splitlines()
                           if line.startswith("--"))
        control = re.search(r" Control: (\w+) breaks (\w+)\.$", comment)
        title = re.search(r'^    title = "(.*)",$', code, re.MULTILINE)
        self.comment = comment
        self.mistake, self.breaks = control.groups() if control else (None, None)
        self.title = title and title.group(1)

    def row(self):
        return f"| `{self.name}` | {self.title} | `{self.mistake}` | `{self.breaks}` |\n"


SCENARIOS = [Scenario(path) for pattern in ("*.lua", "webhooks/*.lua")
             for path in sorted(glob.glob(os.path.join(SCENARIO_DIR, pattern)))]


def catalogue():
    return HEAD + "".join(scenario.row() for scenario in SCENARIOS)


def play(mistake, scenarios):
    """The exit status, and the entries of the report by scenario. They share their client."""
    programs = os.environ["BUILD_DIR" if mistake == "none" else "QUICK_DIR"]
    ended = subprocess.run(
        [f"{programs}/psp-harness", "run", "--format", "json", "--jobs", "1",
         *(scenario.path for scenario in scenarios),
         "--", "/usr/bin/python3", scenarios[0].client, "--mistake", mistake],
        cwd=SOURCE, capture_output=True, text=True, check=False)
    if ended.returncode not in (PASS, FAIL):
        print(ended.stderr, file=sys.stderr)
    return ended.returncode, json.loads(ended.stdout)["scenarios"]


def play_all(lots):
    """LOTS of (mistake, scenarios), in the same order."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda lot: play(*lot), lots))


class Told(unittest.TestCase):
    def test_every_scenario_says_what_it_is_for(self):
        self.assertGreaterEqual(len(SCENARIOS), 40)
        for scenario in SCENARIOS:
            with self.subTest(scenario.name):
                self.assertRegex(scenario.name, r"^(webhooks/w|[a-v]|r_)\d\d_[a-z0-9_]+$")
                self.assertTrue(scenario.title, "no title, or not on a line of its own")
                self.assertIn(" Catches: ", scenario.comment)
                self.assertTrue(scenario.mistake, "no line '-- Control: MISTAKE breaks INVARIANT.'")
        numbers = [scenario.name.removeprefix("r_").split("_")[0] for scenario in SCENARIOS]
        self.assertEqual(len(numbers), len(set(numbers)), "two scenarios with the same number")

    def test_the_catalogue_is_up_to_date(self):
        with open(CATALOGUE, encoding="utf-8") as file:
            self.assertEqual(file.read(), catalogue(), "run scenario_controls.py --catalogue")

    def test_every_mistake_has_its_use(self):
        known = {line.split()[0] for client in (CARELESS, LISTENER) for line in subprocess.run(
            [client, "--list"], capture_output=True, text=True, check=True).stdout.splitlines()}
        used = {scenario.mistake for scenario in SCENARIOS}
        self.assertEqual(used - known, set(), "no such mistake")
        self.assertEqual(known - used, set(), "no scenario is about it")


class Played(unittest.TestCase):
    def test_the_control_of_each_breaks_what_it_says(self):
        lots = [(scenario.mistake, [scenario]) for scenario in SCENARIOS]
        for scenario, (status, entries) in zip(SCENARIOS, play_all(lots)):
            with self.subTest(scenario.name, mistake=scenario.mistake):
                broken = {finding["invariant"] for finding in entries[0]["invariants"]
                          if finding["result"] == "violated" and finding["severity"] == "fails"}
                self.assertEqual(broken, {scenario.breaks}, entries[0]["reasons"])
                self.assertEqual(status, FAIL, entries[0]["reasons"])

    def test_without_a_mistake_all_pass(self):
        here = [scenario for scenario in SCENARIOS if scenario.client == CARELESS]
        there = [scenario for scenario in SCENARIOS if scenario.client == LISTENER]
        lots = [("none", there)] + [("none", here[start::AT_ONCE]) for start in range(AT_ONCE)]
        for _, entries in play_all(lots):
            for entry in entries:
                with self.subTest(entry["title"]):
                    self.assertEqual(entry["verdict"], "pass", entry["reasons"])


if __name__ == "__main__":
    if sys.argv[1:] == ["--catalogue"]:
        sys.stdout.write(catalogue())
    else:
        unittest.main()
