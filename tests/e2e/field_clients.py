#!/usr/bin/python3
"""The clients of the field, scenarios/clients/PATTERN/NAME.lua: each says in a comment what it is,
what it teaches, whether it is safe, and the command that shows it. That command is run, and what
comes of it has to be what the table in scenarios/clients/README.md says.

    field_clients.py                        are the table and the files complete?
    field_clients.py PATTERN/NAME           run this one, and compare it with its row
    field_clients.py --table [PATTERN/NAME...]   run these, or all, and write their rows
"""
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import textwrap

SOURCE = os.environ.get("SOURCE_DIR", os.path.join(os.path.dirname(__file__), "..", ".."))
CLIENTS = os.path.join(SOURCE, "scenarios", "clients")
README = os.path.join(CLIENTS, "README.md")
PSP_HARNESS = os.environ.get("PSP_HARNESS", os.path.join(SOURCE, "build", "psp-harness"))
BEGIN, END = "<!-- field_clients.py: begin -->\n", "<!-- field_clients.py: end -->\n"
HEAD = ("| client | pattern | safe | fails in | passes in | what it teaches |\n"
        "|---|---|---|---|---|---|\n")
FIELDS = ("Teaches", "Safe", "Needs", "Run")
SKIPPED = 77
PASS, FAIL = 0, 1


class Client:
    """What the file says of itself: its first sentence, and the fields of its comment."""

    def __init__(self, name):
        self.name = name
        self.said = {}
        with open(os.path.join(CLIENTS, name + ".lua"), encoding="utf-8") as file:
            comment = re.match(r"(?:--.*\n)*", file.read()).group()
        text = "\n".join(line.removeprefix("--").removeprefix(" ") for line in comment.splitlines())
        self.pattern = " ".join(text.split("\n\n")[0].split())
        for field in FIELDS:
            found = re.search(rf"^{field}: (.*(?:\n  .*)*)", text, re.MULTILINE)
            self.said[field] = found and " ".join(found.group(1).split())

    @property
    def is_safe(self):
        return self.said["Safe"] == "yes."

    def complaints(self):
        run = f" --client scenarios/clients/{self.name}.lua"
        if not self.pattern.endswith("."):
            yield "its comment begins with a sentence, and then an empty line"
        for field in FIELDS:
            if not self.said[field]:
                yield f"there is no '{field}: …' in its comment"
        if self.said["Safe"] not in ("yes.", "no."):
            yield "Safe: is yes or no"
        command = self.said["Run"] or ""
        if not command.startswith("build/psp-harness run ") or not command.endswith(run):
            yield f"Run: is a command, build/psp-harness run SCENARIOS{run}"

    def missing(self):
        """What it needs and is not there: packages of Debian, and what npm puts beside it."""
        for thing in self.said["Needs"].rstrip(".").split():
            if thing == "user-namespaces":
                there = subprocess.run(["unshare", "--user", "--ipc", "true"], check=False,
                                       capture_output=True).returncode == 0
            elif "/" in thing:
                there = os.path.exists(os.path.join(CLIENTS, thing))
            else:
                there = is_installed(thing)
            if not there:
                yield thing

    def play(self):
        """Runs the command, several worlds at once, for they mostly wait. The scenarios of its
        report."""
        home = tempfile.mkdtemp(prefix="psp-field.")
        command = self.said["Run"].replace("build/psp-harness", f"'{PSP_HARNESS}'", 1)
        try:
            ended = subprocess.run(["bash", "-c", command + " --format json --jobs 4"], cwd=SOURCE,
                                   env=dict(os.environ, TMPDIR=home), stdin=subprocess.DEVNULL,
                                   capture_output=True, text=True, check=False)
        finally:
            shutil.rmtree(home, ignore_errors=True)
        expected = PASS if self.is_safe else FAIL
        scenarios = read(ended.stdout)
        if ended.returncode != expected or not all(entry["verdict"] in ("pass", "fail")
                                                   for entry in scenarios):
            for entry in scenarios:
                print(f"{entry['file']}: {entry['verdict']}: {entry['reason']}", file=sys.stderr)
            raise SystemExit(f"{self.name}: 'Safe: {self.said['Safe']}' means exit {expected}, "
                             f"and all decided; it is exit {ended.returncode}\n{ended.stderr}")
        return scenarios

    def row(self, scenarios):
        broken, passed = {}, []
        for scenario in scenarios:
            violated = worst(scenario["invariants"])
            short = short_name(scenario["file"])
            for invariant in violated:
                broken.setdefault(invariant, []).append(short)
            if not violated:
                passed.append(short)
        fails = "; ".join(f"{' '.join(where)}: `{name}`" for name, where in broken.items())
        if self.is_safe and broken:
            raise SystemExit(f"{self.name}: it says 'Safe: yes.', and is warned: {fails}")
        return (f"| [{self.name}]({self.name}.lua) | {self.pattern} | {self.said['Safe'][:-1]} "
                f"| {fails or '-'} | {' '.join(passed) or '-'} | {self.said['Teaches']} |\n")


def worst(findings):
    """The names of the invariants that are violated; those that warn only if no other is."""
    violated = [finding for finding in findings if finding["result"] == "violated"]
    fails = [finding for finding in violated if finding["severity"] == "fails"]
    return list(dict.fromkeys(finding["invariant"] for finding in fails or violated))


def short_name(path):
    """f20 for scenarios/f20_worker_killed.lua; the whole name of one that has no number."""
    name = os.path.basename(path).removesuffix(".lua")
    number = re.match(r"[a-z]\d\d(?=_)", name)
    return f"`{number.group() if number else name}`"


def read(report):
    try:
        return json.loads(report)["scenarios"]
    except ValueError:
        return []


def is_installed(package):
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", package],
                           capture_output=True, text=True, check=False)
    return asked.stdout == "installed"


def names():
    files = glob.glob("*/*.lua", root_dir=CLIENTS)
    return sorted(file.removesuffix(".lua") for file in files
                  if file.split("/")[0] not in ("lib", "node_modules", "scenarios"))


def committed():
    """The README before its table, its rows by name, and what comes after."""
    with open(README, encoding="utf-8") as file:
        before, _, rest = file.read().partition(BEGIN)
    table, _, after = rest.partition(END)
    rows = {match.group(1): match.group() for match in
            re.finditer(r"^\| \[([^]]*)\].*\n", table, re.MULTILINE)}
    return before, rows, after


def complete():
    wrong = [f"{name}: {complaint}" for name in names() for complaint in Client(name).complaints()]
    rows = committed()[1]
    wrong += [f"{name}: has no row in scenarios/clients/README.md" for name in names()
              if name not in rows]
    wrong += [f"{name}: has a row and no file" for name in rows if name not in names()]
    if wrong:
        raise SystemExit("\n".join([*wrong, "(tests/e2e/field_clients.py --table writes rows)"]))


def compare(name):
    client = Client(name)
    missing = " ".join(client.missing())
    if missing:
        print(f"skipped: {name} needs {missing}")
        raise SystemExit(SKIPPED)
    row, said = client.row(client.play()), committed()[1].get(name, "")
    if row != said:
        raise SystemExit(f"the table says\n{said}\nand it is\n{row}\n"
                         f"(tests/e2e/field_clients.py --table {name} writes it)")


def write(chosen):
    for name in chosen or names():
        client = Client(name)
        complaints = list(client.complaints())
        if complaints:
            raise SystemExit(f"{name}: " + "; ".join(complaints))
        missing = " ".join(client.missing())
        if missing:
            print(f"{name}: its row stays as it is, for it needs {missing}", file=sys.stderr)
            continue
        row = client.row(client.play())
        before, rows, after = committed()
        rows = {key: rows[key] for key in names() if key in rows}
        rows[name] = row
        with open(README, "w", encoding="utf-8") as file:
            table = "".join(rows[key] for key in sorted(rows))
            file.write(before + BEGIN + HEAD + table + END + after)
        print(row, end="")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--table"]:
        write(sys.argv[2:])
    elif len(sys.argv) == 2:
        compare(sys.argv[1])
    elif len(sys.argv) == 1:
        complete()
    else:
        raise SystemExit(textwrap.dedent(__doc__))
