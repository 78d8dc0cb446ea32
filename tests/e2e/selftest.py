"""psp-harness selftest: the bundled clients under exploration, and the oracle without each of its
invariants. Which clients there are, and what has to be found, is scenarios/clients/selftest.json.

    selftest.py          the quick ones, without an invariant; lists, errors, reports
    selftest.py CLIENT   this one (a part of its name)

Most of the quick ones are examined by the quick programs, several clients at once: an exploration
waits much, above all for the last of its worlds.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(__file__))
import field_clients  # noqa: E402

PSP_HARNESS = os.environ["PSP_HARNESS"]
QUICK = os.path.join(os.environ["QUICK_DIR"], "psp-harness")
SOURCE = os.environ["SOURCE_DIR"]
CLIENTS = os.path.join(SOURCE, "scenarios", "clients")
PATIENCE = "300s"  # for one client, on a machine that does much else
AT_ONCE = 5

# For the sanitized programs: clients of each kind that cost little.
SANITIZED = ("client-naive-c", "client-careful-c", "careless.py --mistake amount_in_units",
             "careless_habits.py --mistake shipped_before")
# Whoever tries again at once does so on a machine that does not do much else: one world at a time.
BY_THE_CLOCK = ("careless_habits.py --mistake no_pause",)
# Found after so few runs, a client is examined once more without its invariant; but not who has a
# limit of its own, for those runs take long.
FEW_RUNS = 25


def selftest(*arguments, cwd=SOURCE, clients=None, program=PSP_HARNESS):
    with tempfile.TemporaryDirectory(prefix="psp-selftest.") as home:
        return subprocess.run([program, "selftest", "--budget", PATIENCE, *arguments,
                               *(["--clients", clients] if clients else [])],
                              cwd=cwd, env={**os.environ, "TMPDIR": home}, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, text=True)


def listed():
    with open(os.path.join(CLIENTS, "selftest.json"), encoding="utf-8") as file:
        return json.load(file)


def invariants():
    text = subprocess.run([PSP_HARNESS, "list"], cwd=SOURCE, capture_output=True, text=True,
                          check=True).stdout
    names = re.search(r"^invariants.*\n((?:  .*\n)+)", text, re.MULTILINE).group(1)
    return re.findall(r"^  (\w+)", names, re.MULTILINE)


class Complete(unittest.TestCase):
    """The list has every client, and says of each what the other lists say."""

    def test_every_client_of_the_field(self):
        said = {entry["client"]: entry for entry in listed() if entry["client"].endswith(".lua")}
        self.assertEqual(sorted(said), sorted(name + ".lua" for name in field_clients.names()))
        for name, entry in said.items():
            safe = field_clients.Client(name.removesuffix(".lua")).is_safe
            self.assertEqual("breaks" not in entry, safe, name)

    def test_every_mistake(self):
        said = {entry["client"] for entry in listed()}
        for program in ("careless.py", "careless_listener.py", "careless_habits.py"):
            mistakes = subprocess.run([os.path.join(CLIENTS, program), "--list"], check=True,
                                      capture_output=True, text=True).stdout
            for line in mistakes.splitlines():
                name, what = line.split(maxsplit=1)
                if not what.startswith("no mistake: "):
                    self.assertIn(f"{program} --mistake {name}", said)

    def test_every_naive_and_careful_one(self):
        said = {entry["client"]: entry for entry in listed()}
        for path in pathlib.Path(CLIENTS).glob("*_plain.py"), pathlib.Path(CLIENTS).glob("naive.*"), \
                pathlib.Path(CLIENTS).glob("careful.*"):
            for name in (one.name for one in path):
                name = re.sub(r"^(\w+)\.c$", r"client-\1-c", name)
                self.assertIn(name, said)
                self.assertEqual("breaks" in said[name], "naive" in name, name)


def examine(entries, *arguments, program=QUICK):
    """What becomes of those ENTRIES of the list, as its report has it."""
    with tempfile.TemporaryDirectory(prefix="psp-selftest.") as folder:
        for name in os.listdir(CLIENTS):
            os.symlink(os.path.join(CLIENTS, name), os.path.join(folder, name))
        path = os.path.join(folder, "selftest.json")
        os.unlink(path)
        with open(path, "w", encoding="utf-8") as file:
            json.dump(entries, file)
        done = selftest("--format", "json", *arguments, clients=folder, program=program)
    try:
        return json.loads(done.stdout)["clients"]
    except ValueError as error:
        raise AssertionError(done.stdout + done.stderr) from error


def examine_all(lots):
    """LOTS of (entry, option...), several at once."""
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(lambda lot: examine([lot[0]], *lot[1:])[0], lots))


class Quick(unittest.TestCase):
    """Those that do not take long. For the others there is psp-harness selftest --all."""

    @classmethod
    def setUpClass(cls):
        quick = [entry for entry in listed() if not entry.get("slow")]
        alone = [entry for entry in quick if entry["client"] in BY_THE_CLOCK]
        rest = [entry for entry in quick if entry["client"] not in SANITIZED + BY_THE_CLOCK]
        cls.sanitized = selftest("--format", "json", *SANITIZED)
        cls.report = json.loads(cls.sanitized.stdout)["clients"]
        # What takes longest comes last in the list, and begins first.
        cls.report += examine_all([(entry,) for entry in reversed(rest)])
        cls.report += [examine([entry], "-j", "1")[0] for entry in alone]

    def test_all_is_as_it_has_to_be(self):
        self.assertEqual(self.sanitized.returncode, 0, self.sanitized.stdout)
        wrong = [one for one in self.report if one["result"] not in ("found", "careful")]
        self.assertEqual(wrong, [])
        self.assertEqual({one.get("breaks") for one in self.report}, {None, *invariants()})
        for one in self.report:
            self.assertLessEqual(one.get("faults", 0), 2, one)
            self.assertEqual(one.get("confirmed"), one.get("asked"), one)

    def test_those_that_take_long_are_left_out(self):
        said = selftest("--list").stdout.splitlines()
        self.assertEqual(sum(not line.endswith(" (takes long)") for line in said), len(self.report))
        self.assertEqual(len(said), len(listed()))

    def test_without_an_invariant_its_client_goes_unnoticed(self):
        """In as many runs as it was found in. Of every invariant, in all of them, test_invariants.c
        says that it is left out."""
        runs = {(one["client"], one.get("breaks")): one["runs"] for one in self.report}
        lots = {}
        for entry in listed():
            name = entry.get("breaks")
            most = runs.get((entry["client"], name), FEW_RUNS + 1)
            if name and most <= FEW_RUNS and "max" not in entry:
                lots.setdefault(name, ({**entry, "max": most}, "--without", name))
        self.assertGreaterEqual(len(lots), 5)
        for name, one in zip(lots, examine_all(lots.values())):
            with self.subTest(name):
                self.assertEqual(one["result"], "unnoticed", one)

    def test_that_is_said(self):
        done = selftest("--without", "no_live_key", "live_key")
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout,
                         r"(?m)^unnoticed +careless_habits.py --mistake live_key: no_live_key")


class Said(unittest.TestCase):
    """What it says of lists that are wrong, and of clients that cannot be run."""

    def setUp(self):
        self.home = tempfile.TemporaryDirectory(prefix="psp-selftest.")
        self.addCleanup(self.home.cleanup)

    def examine(self, *entries, text=None, arguments=()):
        path = os.path.join(self.home.name, "selftest.json")
        with open(path, "w", encoding="utf-8") as file:
            file.write(json.dumps(entries) if text is None else text)
        done = selftest(*arguments, clients=self.home.name)
        return done.returncode, done.stdout + done.stderr

    def script(self, name, text):
        path = pathlib.Path(self.home.name, name)
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)

    def test_a_list_that_is_wrong(self):
        for entry, said in [({"cleint": "a"}, "did you mean client?"),
                            ({"breaks": "charged_once"}, "does not say which client"),
                            ({"client": "a", "breaks": "charged_never"}, "no invariant 'charged_never'"),
                            ({"client": "a", "breaks": "charged_once"}, "has a cause"),
                            ({"client": "a", "depth": 99}, "depth is a number from 1 to"),
                            ({"client": "a", "timeout": "soon"}, "soon")]:
            with self.subTest(entry):
                status, output = self.examine({"client": "b"}, entry)
                self.assertEqual(status, 2, output)
                self.assertIn(said, output)
                self.assertIn("entry 2", output)
        for text in ("", "{", "{}", "[]"):
            status, output = self.examine(text=text)
            self.assertEqual(status, 2, output)
            self.assertIn("selftest.json", output)

    def test_a_folder_without_a_list(self):
        done = selftest(clients=self.home.name)
        self.assertEqual(done.returncode, 2)
        self.assertIn("holds no selftest.json", done.stderr)

    def test_a_word_that_names_nobody(self):
        done = selftest("no_such_client")
        self.assertEqual(done.returncode, 2)
        self.assertIn("no client is called that", done.stderr)

    def test_an_option_that_is_wrong(self):
        for arguments, said in [(["--without", "charged_onec"], "did you mean charged_once?"),
                                (["--depth", "0"], "no number from 1"),
                                (["--budget", "0s"], "longer than that"),
                                (["--format", "tap"], "none of text, json"),
                                (["--al"], "did you mean --all?")]:
            done = selftest(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(said, done.stderr)

    def test_who_cannot_be_run_is_skipped_and_counted(self):
        status, output = self.examine({"client": "a", "needs": "sh no-such-program"},
                                      {"client": "b", "needs": "no/such/file"})
        self.assertEqual(status, 3, output)
        self.assertIn("it needs no-such-program", output)
        self.assertIn("it needs no/such/file", output)
        self.assertIn("2 skipped", output)
        self.assertIn("nobody was examined who breaks charged_once", output)

    def test_a_client_that_is_not_there(self):
        status, output = self.examine({"client": "nobody.py"})
        self.assertEqual(status, 4, output)
        self.assertIn("there is no such client", output)

    def test_a_good_one_that_is_bad_is_accused(self):
        self.script("pay.sh", "#!/bin/sh\n"
                    'curl -s -u "$PSP_API_KEY:" "$PSP_URL/v1/payment_intents" -d confirm=true '
                    '-d payment_method=pm_card_visa -d amount="$ORDER_AMOUNT" '
                    '-d currency="$ORDER_CURRENCY" -d "metadata[order_id]=$ORDER_ID" >/dev/null '
                    "|| exit 75\n")
        status, output = self.examine({"client": "pay.sh", "needs": "curl"}, arguments=["pay"])
        self.assertEqual(status, 1, output)
        self.assertRegex(output, r"accused +pay.sh")
        status, output = self.examine(
            {"client": "pay.sh", "needs": "curl", "breaks": "settles", "cause": "spent_key"},
            arguments=["pay", "-j2"])
        self.assertEqual(status, 1, output)
        self.assertIn("only something else was found", output)

    def test_one_that_never_calls_is_unsure(self):
        self.script("idle.sh", "#!/bin/sh\nexit 0\n")
        status, output = self.examine({"client": "idle.sh"}, arguments=["idle"])
        self.assertEqual(status, 3, output)
        self.assertRegex(output, r"unsure +idle.sh")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        unittest.main()
    given = selftest(sys.argv[1])
    print(given.stdout + given.stderr)
    if re.search(r"^skipped ", given.stdout, re.MULTILINE):
        raise SystemExit(field_clients.SKIPPED)
    raise SystemExit(given.returncode)
