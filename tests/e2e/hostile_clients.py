"""Clients that hang, flood, fork, hide, and strike at those who watch over them: each has a clear
verdict, and leaves no process, no port and no file behind."""
import json
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from harness_case import PAYS, HarnessCase  # pylint: disable=wrong-import-position

PASS, INCONCLUSIVE, ERROR = 0, 3, 4
ROUNDS = int(os.environ.get("ROUNDS", "80"))

SHELL = "#!/bin/sh\n"
PYTHON = """#!/usr/bin/python3 -S
import ctypes, os, resource, socket, sys, time
host, port = os.environ["PSP_URL"][len("http://"):].split(":")
address = (host, int(port))
def pay():
    os.execv("/bin/sh", ["sh", "-c", PAYS])
PAYS = """ + repr(PAYS) + "\n"

# Every child ends by itself after a while, should the test itself fail.
FORKS = PYTHON + """
end = time.time() + 60
def children(count, body):
    for _ in range(count):
        if os.fork() == 0:
            body()
            os._exit(0)
def hurry():
    os.setsid()
    while time.time() < end:
        if os.fork():
            os._exit(0)
def stay():
    while time.time() < end:
        time.sleep(1)
"""

DEEP = PYTHON + """
os.chdir(os.environ["STATE_DIR"])
for _ in range(1200):
    os.mkdir("deeper")
    os.chdir("deeper")
open("file", "w").close()
os.chdir("/")
pay()
"""

SPECIAL = PYTHON + """
os.chdir(os.environ["STATE_DIR"])
os.mkfifo("fifo")
os.symlink("/", "root")
os.symlink("loop", "loop")
os.mkdir(b"not\\xff\\ntext")
socket.socket(socket.AF_UNIX).bind("socket")
pay()
"""

FORBIDDEN = SHELL + """
cd "$STATE_DIR" && mkdir -p a/b && echo x >a/b/c && chmod 0 a/b/c a/b a .
""" + PAYS

CONNECTS = PYTHON + """
hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
kept = []
for _ in range(min(hard - 100, 9900)):
    kept.append(socket.create_connection(address))
    os.set_inheritable(kept[-1].fileno(), True)
pay()
"""

GARBAGE = PYTHON + """
for _ in range(200):
    sock = socket.create_connection(address)
    try:
        sock.sendall(os.urandom(5000))
    except OSError:
        pass
    sock.close()
pay()
"""

HIDES = PYTHON + """
ctypes.CDLL(None).prctl(15, b") R 1 1 (", 0, 0, 0)
if os.fork() == 0:
    os.setsid()
    time.sleep(60)
pay()
"""

LIMITED = SHELL + """ulimit -v 300000
exec /usr/bin/python3 -S -c '
kept = []
while True:
    kept.append(bytearray(1 << 20))'
"""

HANGS = ["--timeout", "1s"]
HUNG = "order_1's client (run 1) has not ended"
NEVER = "the client never called the provider for order_1; it ended with "
LEFT = "order_1's client left processes behind"
LOST = "order_1's client lost the process that watches over it"

# name: (program, options, verdict, what is said)
CLIENTS = {
    "hangs": (SHELL + "sleep 60", HANGS, INCONCLUSIVE, HUNG),
    "ignores signals": (SHELL + "trap '' TERM INT HUP QUIT\nwhile :; do sleep 1; done", HANGS,
                        INCONCLUSIVE, HUNG),
    "stops itself": (SHELL + "kill -STOP $$", HANGS, INCONCLUSIVE, HUNG),
    "floods without an end": (SHELL + "cat /dev/urandom", HANGS, INCONCLUSIVE, HUNG),
    "floods without a newline": (SHELL + "head -c 256M /dev/zero\n" + PAYS, [], PASS, ""),
    "floods with lines": (SHELL + "yes | head -c 16M\n" + PAYS, [], PASS, ""),
    "floods with bytes": (SHELL + "head -c 16M /dev/urandom >&2\n" + PAYS, [], PASS, ""),
    "prints escapes": (SHELL + r"printf '\033[2J\033]0;x\007\377\300\200\0 end\n' >&2; exit 70", [],
                       INCONCLUSIVE, NEVER + "status 70 and said: ?[2J?]0;x????? end"),
    "closes its pipes": (SHELL + "exec <&- >&- 2>&-\n" + PAYS, [], PASS, ""),
    "prints half a claim": (SHELL + """printf '{"order":"order_1","outc'; kill -9 $$""", [],
                            INCONCLUSIVE, NEVER + "signal 9"),
    "forks many": (FORKS + "children(200, stay)\nstay()", HANGS, INCONCLUSIVE, HUNG),
    "forks without end": (FORKS + "children(4, hurry)\nstay()", HANGS, INCONCLUSIVE, HUNG),
    "forks without end and ends": (FORKS + "children(4, hurry)\npay()", [], INCONCLUSIVE, LEFT),
    "leaves daemons": (SHELL + "(setsid sleep 60 &)\n" + PAYS, [], INCONCLUSIVE, LEFT),
    "hides its name": (HIDES, [], INCONCLUSIVE, LEFT),
    "eats memory": (LIMITED, [], INCONCLUSIVE, NEVER + "status 1 and said: MemoryError"),
    "kills its group": (SHELL + "kill -9 0", [], INCONCLUSIVE, NEVER + "signal 9"),
    "kills its keeper": (SHELL + "(setsid sleep 60 &)\nkill -9 $PPID; sleep 60", [], INCONCLUSIVE,
                         LOST),
    "ends its keeper": (SHELL + "kill -TERM $PPID; sleep 60", [], INCONCLUSIVE, NEVER + "signal 9"),
    "stops its keeper": (SHELL + "kill -STOP $PPID", HANGS, INCONCLUSIVE, HUNG),
    "leaves no permission": (FORBIDDEN, [], PASS, ""),
    "digs deep": (DEEP, [], PASS, ""),
    "leaves sockets": (SPECIAL, [], PASS, ""),
    "removes its box": (SHELL + 'rm -rf "$STATE_DIR/../.."\n' + PAYS, [], PASS, ""),
    "puts a link there": (SHELL + 'rm -rf "$STATE_DIR"; ln -s / "$STATE_DIR"\n' + PAYS, [], PASS,
                          ""),
    "connects and stays": (CONNECTS, [], PASS, ""),
    "sends garbage": (GARBAGE, [], PASS, ""),
    "is no program": ("\x7fELF", [], INCONCLUSIVE, NEVER + "status 127"),
}

# Those that are quick enough for many rounds.
QUICK = ("prints half a claim", "closes its pipes", "kills its group", "kills its keeper",
         "ends its keeper", "leaves no permission", "removes its box", "is no program")


class HostileClients(HarnessCase):
    def test_each_has_a_clear_verdict_and_leaves_nothing(self):
        plain = self.scenario()
        for name, (program, options, wanted, words) in CLIENTS.items():
            with self.subTest(name):
                client = self.write("client", program)
                status, said = self.run_harness("--restarts", "0", *options, plain, "--", client)
                self.assertEqual(status, wanted, said)
                self.assertIn(words, said)
                self.expect_nobody()
                self.expect_only_boxes_that_are_named(said)
                if status == PASS:
                    self.assertNotIn("box:", said)
                self.empty_boxes()

    def test_many_rounds_leave_nothing(self):
        plain = self.scenario()
        rounds = ROUNDS // len(QUICK)
        for name in QUICK:
            with self.subTest(name):
                program, _, wanted, _ = CLIENTS[name]
                client = self.write("client", program)
                status, said = self.run_harness("-j", "4", "--restarts", "0", "--format", "json",
                                                *[plain] * rounds, "--", client)
                self.assertEqual(status, wanted, said)
                boxes = [one.get("box") for one in json.loads(said)["scenarios"]]
                self.assertEqual(len(boxes), rounds)
                self.expect_nobody()
                self.assertEqual(sorted(os.listdir(self.boxes)),
                                 sorted(os.path.basename(box) for box in boxes if box))
                self.empty_boxes()


if __name__ == "__main__":
    unittest.main()
