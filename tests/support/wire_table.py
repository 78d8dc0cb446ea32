"""The one table of what each action does on the socket, and of what curl makes of it. The tests that
look at the bytes, the one that runs curl and the one that reads scenarios/README.md go by it."""

FAILPOINTS = ["received", "before_commit", "after_commit", "responding", "responded"]
UNSENT = FAILPOINTS[:4]
STANDS = FAILPOINTS[2:]  # here the effect has been committed


class Action:
    """SOCKET: what comes, in the words of the README. CURL: its exit code on a cold and on a warm
    connection, where it sends a POST again by itself when the connection ends before a byte came
    (which shows as the code of its second try). None: it does not apply."""

    def __init__(self, where, socket, curl, options=None, call="", needs_harness=False):
        self.where = where
        self.socket = socket
        self.curl = curl
        self.options = options or {}
        self.call = call
        self.needs_harness = needs_harness

    def curl_codes(self, warm):
        """All that may come, for a race."""
        code = self.curl[warm]
        return code if isinstance(code, tuple) else (code,)

    def curl_cell(self):
        if self.curl is None:
            return "-"
        return " / ".join(" or ".join(str(code) for code in self.curl_codes(warm))
                          for warm in (False, True))


ACTIONS = {
    "pass": Action(FAILPOINTS, "the answer", (0, 0)),
    "delay": Action(UNSENT, "the answer, later", (0, 0), {"ms": 20}),
    "respond": Action(UNSENT, "an answer", (0, 0), {"status": 503}),
    "proxy_error": Action(UNSENT, "an answer, `text/html`", (0, 0), {"status": 502}),
    "drop": Action(UNSENT, "FIN", (52, 0)),
    "reset": Action(UNSENT, "RST", (56, 0)),
    "hang": Action(UNSENT, "nothing", (28, 28)),
    "refuse": Action(UNSENT, "FIN; then who connects gets RST", (52, 7), {"ms": 60000}),
    "late": Action(["received"], "nothing", (28, 28), {"ms": 0}),
    "truncate": Action(["responding"], "head, part of the body, FIN", (18, 18), {"bytes": 7}),
    "dribble": Action(["responding"], "the answer, piece by piece", (0, 0),
                      {"bytes": 50, "every": 5}),
    "bandwidth": Action(["responding"], "the answer, slowly", (0, 0), {"rate": "20kB/s"}),
    "cut_header": Action(["responding"], "status line, part of the headers, FIN", (0, 0),
                         {"bytes": 10}),
    "broken_chunk": Action(["responding"], "head, a size line, more than that, FIN", (56, 56),
                           {"bytes": 10}),
    "broken_json": Action(["responding"], "an answer, half its JSON", (0, 0)),
    "garbage": Action(UNSENT, "bytes that are no HTTP, FIN", (1, 1)),
    "advance": Action(FAILPOINTS, "the answer", (0, 0), {"ms": 3600000}),
    "duplicate": Action(["received"], "the answer of one", (0, 0)),
    "stale": Action(["received", "after_commit"], "the answer", (0, 0), {"ms": 30000}),
    "decline": Action(["received"], "an answer, 402", (0, 0), {"code": "lost_card"}),
    "processing": Action(["received"], "an answer, not final", (0, 0), {"ms": 60000}),
    # The second try may come in between the ends of the two sockets, and be reset.
    "crash_psp": Action(FAILPOINTS, "FIN; then who connects gets RST", (52, (7, 56))),
    "crash_client": Action(FAILPOINTS, "-", None, needs_harness=True),
    "pause_client": Action(FAILPOINTS, "-", None, {"ms": 100}, needs_harness=True),
    "stop_client": Action(FAILPOINTS, "-", None, needs_harness=True),
}


def act(kind, **options):
    """The action as JSON has it."""
    return {"kind": kind, **ACTIONS[kind].options, **options}
