"""official.py python|node: the unmodified official library of that language drives every request of the
Stripe-like face. Its scripts (official_*.py or .mjs) each run against one mockpsp; afterwards the
journal has to show every request of `mockpsp --help` as driven, answered with success.

Of the official libraries Debian has that for Python and npm that for Node; it packages none for PHP,
Ruby, Go, Java or .NET (apt-cache search stripe), and npm has none of those languages either."""
import os
import subprocess
import sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import Mockpsp  # noqa: E402

SOURCE = os.environ["SOURCE_DIR"]
TOPICS = ("basics", "payments", "people", "books", "resources", "webhooks")

# Not to be had from a library of today; psp_objects.py asks for it by hand.
GONE = {
    "python": {"POST /v1/charges/{id}/refunds", "POST /v1/checkout/sessions/{id}"},
    "node": {"POST /v1/charges/{id}/refunds"},
}


def command(language, topic):
    script = os.path.join(SOURCE, "tests/e2e", f"official_{topic}")
    return ["/usr/bin/python3", script + ".py"] if language == "python" else ["node", script + ".mjs"]


def stripe_like(index):
    """The requests that /_mock/ lists with the two-word routes of the journal, without other faces."""
    others = ("/payments", "/v1/payments", "/v2/", "/v3/", "/v71/", "/v1/orders", "/v1/oauth2",
              "/oauth", "/merchants")
    return {f"{row['method']} {row['path']}" for row in index["requests"]
            if not any(row["path"] == other or row["path"].startswith(other.rstrip("/") + "/")
                       for other in others)}


def whole_journal(psp):
    entries = []
    while True:
        more = psp.journal(after=entries[-1]["seq"] if entries else 0)
        if not more:
            return entries
        entries += more


def driven(psp):
    """The routes that were asked for and answered with success."""
    entries = whole_journal(psp)
    good = {entry["request"] for entry in entries if entry["kind"] == "ok"}
    return {entry["data"]["route"] for entry in entries
            if entry["kind"] == "invoke" and entry["request"] in good}


def run(language):
    psp = Mockpsp("--quiet", "--clock", "manual")
    try:
        env = {**os.environ, "PSP_URL": f"http://127.0.0.1:{psp.port}"}
        failed = [topic for topic in TOPICS
                  if subprocess.run(command(language, topic), env=env, check=False).returncode != 0]
        wanted = stripe_like(psp.control("GET", "")) - GONE[language]
        missed = sorted(wanted - driven(psp))
        return failed, missed
    finally:
        psp.clean()


def main(language):
    packages = os.path.join(SOURCE, "scenarios/clients/node_modules/stripe")
    if language == "node" and not os.path.isdir(packages):
        print("skipped: no scenarios/clients/node_modules/stripe; (cd scenarios/clients && npm ci)")
        return 77
    failed, missed = run(language)
    for topic in failed:
        print(f"FAILED: official_{topic}")
    for route in missed:
        print(f"FAILED: never driven with success: {route}")
    return 1 if failed or missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
