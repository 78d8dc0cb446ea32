#!/usr/bin/python3
"""careful_seeds.py KIND: no careful client is accused, in any scenario of the library, whatever the
seed, not even of what only warns. A run that shows nothing (a batch cannot be given to a second
worker; of two at once the second may pay before the fault is over) is no accusation.

The first seed is played with the sanitized programs, the others with the quick ones. PSP_SEEDS=20
plays that many of any kind; left out, each has as many as it is quick.
"""
import json
import os
import subprocess
import sys

SOURCE = os.environ["SOURCE_DIR"]
BUILD, QUICK = os.environ["BUILD_DIR"], os.environ["QUICK_DIR"]
CLIENTS = "scenarios/clients/"
LIBRARY, WEBHOOKS = "scenarios", "scenarios/webhooks"
PYTHON = "/usr/bin/python3"
SKIPPED = 77

# kind: how many seeds, which scenarios, the client. What differs from seed to seed is the provider's:
# the client in C, which costs next to nothing, sees many; others cost a second of CPU a scenario.
KINDS = {
    "c": (8, LIBRARY, "--", "{programs}/client-careful-c"),
    "shell": (1, LIBRARY, "--", CLIENTS + "careful.sh"),
    "python": (1, LIBRARY, "--", PYTHON, CLIENTS + "careful.py"),
    "node": (1, LIBRARY, "--", "node", CLIENTS + "careful.mjs"),
    "plain": (1, LIBRARY, "--", PYTHON, CLIENTS + "careful_plain.py"),
    "service": (1, LIBRARY, "--client", CLIENTS + "service/service_careful.lua"),
    "batch": (1, LIBRARY, "--client", CLIENTS + "batch/batch_careful.lua"),
    "twins": (1, LIBRARY, "--client", CLIENTS + "double_click/unique_insert.lua"),
    "listener": (2, WEBHOOKS, "--", PYTHON, CLIENTS + "careless_listener.py"),
}
MAY_SHOW_NOTHING = ("batch", "twins")
AT_ONCE = 12  # worlds mostly wait


def accused(kind, seed, scenarios, client):
    """What is said against the client, or of the run: lines of text."""
    good = ("pass", "inconclusive") if kind in MAY_SHOW_NOTHING else ("pass",)
    programs = BUILD if seed == 1 else QUICK
    client = [word.replace("{programs}", programs) for word in client]
    done = subprocess.run(
        [programs + "/psp-harness", "run", scenarios, "--strict", "--seed", str(seed),
         "--jobs", str(AT_ONCE), "--format", "json", *client],
        cwd=SOURCE, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    try:
        entries = json.loads(done.stdout)["scenarios"]
    except ValueError:
        return [f"status {done.returncode}: {done.stdout}{done.stderr}"]
    return [f"{entry['verdict']} {entry['replay']}: {reason}" for entry in entries
            if entry["verdict"] not in good for reason in entry["reasons"]]


def main(kind):
    seeds, scenarios, *client = KINDS[kind]
    seeds = int(os.environ.get("PSP_SEEDS", seeds))
    if kind == "node" and not os.path.exists(os.path.join(SOURCE, CLIENTS, "node_modules/stripe")):
        print("skipped: no scenarios/clients/node_modules/stripe")
        return SKIPPED
    found = [line for seed in range(1, seeds + 1) for line in accused(kind, seed, scenarios, client)]
    print("\n".join(found) if found else f"nothing is said against it, {seeds} seeds")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
