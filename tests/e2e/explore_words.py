"""The words of explore: moves, coverage and options, in `psp-harness list` and in the documents.

`explore_words.py --write` brings the table of moves in harness/README.md up to date."""
import os
import re
import subprocess
import sys
import unittest

SOURCE = os.environ.get("SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
EXPLORE = os.path.join(SOURCE, "harness", "explore")
README = os.path.join(SOURCE, "harness", "README.md")
HEAD = "| move | at | of which requests | action | what it is |\n|---|---|---|---|---|\n"
WHOM = {"PAYS": "that move money", "WRITE": "that write", "READ": "that read", "ANY": "all",
        "RETRY": "that write, from the second try on", "ISSUER": "that an issuer could decline",
        "HOOK": "webhooks"}
MOVE = re.compile(r'\bX\((\w+), ([A-Z_]+), ([A-Z]+), \d+,\s*((?:"(?:[^"\\]|\\.)*"[,\s]*)+)\)')


def read(*names):
    with open(os.path.join(*names), encoding="utf-8") as file:
        return file.read()


def moves():
    """Name, failpoint, of which requests, action, what it is; random ones last."""
    text = read(EXPLORE, "move_list.h").replace("\\\n", "\n")
    systematic, walked = text.split("#define RANDOM_MOVE_LIST")
    for part, note in ((systematic, ""), (walked, " (at random alone)")):
        for name, at, whom, words in MOVE.findall(part):
            # Strings that stand side by side are one; a comma parts two.
            strings = [""]
            for string, comma in re.findall(r'"((?:[^"\\]|\\.)*)"\s*(,?)', words):
                strings[-1] += string.replace('\\"', '"')
                strings += [""] if comma else []
            yield name, at.lower(), WHOM[whom], strings[0], strings[1] + note


def table():
    return HEAD + "".join(f"| `{name}` | `{at}` | {whom} | `{act}` | {what} |\n"
                          for name, at, whom, act, what in moves())


class Words(unittest.TestCase):
    def test_the_table_of_moves(self):
        self.assertGreater(len(list(moves())), 40)
        self.assertIn(table(), read(README), "tests/e2e/explore_words.py --write mends it")

    def test_list_names_every_move(self):
        listed = subprocess.run([os.environ["PSP_HARNESS"], "list", f"{SOURCE}/scenarios"],
                                capture_output=True, text=True, check=True).stdout
        listed = re.sub(r" +", " ", listed)
        for name, at, _, _, what in moves():
            self.assertIn(f" {name} at {at} {what.removesuffix(' (at random alone)')}", listed)

    def test_what_becomes_of_a_move(self):
        states = re.findall(r'^    X\((\w+), "', read(EXPLORE, "coverage.h"), re.MULTILINE)
        self.assertGreater(len(states), 4)
        for state in states:
            self.assertIn(f"`{state}`", read(README))

    def test_every_option(self):
        options = re.findall(r'^    X\(\w+, .*?, "([a-z-]+)",', read(EXPLORE, "explore_options.h"),
                             re.MULTILINE)
        self.assertGreater(len(options), 10)
        helped = subprocess.run([os.environ["PSP_HARNESS"], "explore", "--help"],
                                capture_output=True, text=True, check=True).stdout
        for option in options:
            self.assertIn(f"--{option}", helped)
            if option not in ("help", "jobs"):
                self.assertIn(f"--{option}", read(README))

    def test_every_pipeline_that_says_which_part(self):
        names = re.findall(r'^    \{"(\w+)", "(\w+)", [01]\}', read(EXPLORE, "shard.c"),
                           re.MULTILINE)
        self.assertGreater(len(names), 3)
        for name in sum(names, ()):
            self.assertIn(name, read(README))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        before, rest = read(README).split(HEAD)
        rest = re.sub(r"\A(\|.*\n)*", "", rest)  # the rows that are there
        with open(README, "w", encoding="utf-8") as file:
            file.write(before + table() + rest)
    else:
        unittest.main(verbosity=2)
