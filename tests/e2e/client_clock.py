"""What moves the provider's clock moves the client's as well, and where it cannot, that is said."""
import json
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from client_file import PATIENCE, PSP_HARNESS, ClientFileTest  # noqa: E402
from client_service import SHOP, TALK  # noqa: E402
from harness_case import PAYS  # noqa: E402

PASS, FAIL, INCONCLUSIVE = 0, 1, 3
AHEAD = 23 * 3600  # seconds; a key lives for a day

# Two runs of the client, 23 hours apart; the first one does not settle.
TWICE = "run = function(world) world:start():wait():advance('23h'):start():wait() end"
TWO_RUNS = ('echo "now $(date +%s)"; [ -e "$STATE_DIR/mark" ] && { ' + PAYS + '; exit; }; '
            'touch "$STATE_DIR/mark"; ' + PAYS + '; exit 75')
BEHIND = "unset LD_PRELOAD; "
DOUBLE = PAYS.replace("Idempotency-Key: $ORDER_ID", "Idempotency-Key: $(date +%N)")

# Every wait of the wall clock ends when it should: 50 ms from now, as this process sees it. One that
# is not turned back into the machine's time would take a day.
WAITS = r'''
import ctypes, datetime, sqlite3, threading, time
libc = ctypes.CDLL(None, use_errno=True)
class Spec(ctypes.Structure):
    _fields_ = [("sec", ctypes.c_long), ("ns", ctypes.c_long)]
class Timer(ctypes.Structure):
    _fields_ = [("every", Spec), ("first", Spec)]
def soon(clock):
    ns = time.clock_gettime_ns(clock) + 50_000_000
    return Spec(ns // 10**9, ns % 10**9)
WALL, MONOTONIC, TIMED_OUT = time.CLOCK_REALTIME, time.CLOCK_MONOTONIC, 110
room = ctypes.create_string_buffer
at = ctypes.byref
semaphore, mutex, condition = room(64), room(64), room(64)
libc.sem_init(semaphore, 0, 0)
libc.pthread_mutex_lock(mutex)
for name, got in (
        ("sem_timedwait", -libc.sem_timedwait(semaphore, at(soon(WALL))) * ctypes.get_errno()),
        ("sem_clockwait", -libc.sem_clockwait(semaphore, WALL, at(soon(WALL))) * ctypes.get_errno()),
        ("sem_clockwait 2", -libc.sem_clockwait(semaphore, MONOTONIC, at(soon(MONOTONIC)))
         * ctypes.get_errno()),
        ("pthread_mutex_timedlock", libc.pthread_mutex_timedlock(mutex, at(soon(WALL)))),
        ("pthread_mutex_clocklock", libc.pthread_mutex_clocklock(mutex, WALL, at(soon(WALL)))),
        ("pthread_cond_timedwait", libc.pthread_cond_timedwait(condition, mutex, at(soon(WALL)))),
        ("pthread_cond_clockwait",
         libc.pthread_cond_clockwait(condition, mutex, WALL, at(soon(WALL)))),
        ("pthread_cond_clockwait 2",
         libc.pthread_cond_clockwait(condition, mutex, MONOTONIC, at(soon(MONOTONIC))))):
    print("waited", name, got == TIMED_OUT or got)
ABSOLUTE = 1
for clock in (WALL, MONOTONIC):
    print("waited clock_nanosleep", libc.clock_nanosleep(clock, ABSOLUTE, at(soon(clock)), None) == 0)
    fd = libc.timerfd_create(clock, 0)
    libc.timerfd_settime(fd, ABSOLUTE, at(Timer(Spec(0, 0), soon(clock))), None)
    print("waited timerfd", len(open(fd, "rb", buffering=0).read(8)) == 8)
time.sleep(0.05)
threading.Event().wait(0.05)
spec = Spec()
libc.timespec_get(at(spec), 1)
database = sqlite3.connect(":memory:").execute("SELECT strftime('%s')").fetchone()[0]
for moment in (time.time(), datetime.datetime.now().timestamp(), libc.time(None), spec.sec, database):
    print("now", int(moment))
'''


# What cannot be reached from outside: it asks nobody for the time, and links everything itself.
STATIC = r'''
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
int main(void)
{
    char form[300], text[900];
    const char *order = getenv("ORDER_ID");
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons((unsigned short)atoi(strrchr(getenv("PSP_URL"), ':') + 1)),
                             .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    snprintf(form, sizeof form, "amount=%s&currency=%s&payment_method=pm_card_visa&confirm=true",
             getenv("ORDER_AMOUNT"), getenv("ORDER_CURRENCY"));
    snprintf(text, sizeof text,
             "POST /v1/payment_intents HTTP/1.1\r\nHost: psp\r\nAuthorization: Bearer %s\r\n"
             "Idempotency-Key: %s\r\nContent-Type: application/x-www-form-urlencoded\r\n"
             "Content-Length: %zu\r\nConnection: close\r\n\r\n%s",
             getenv("PSP_API_KEY"), order, strlen(form), form);
    if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0 ||
        write(fd, text, strlen(text)) < 0 || read(fd, text, sizeof text) < 12)
        return 75;
    while (read(fd, form, sizeof form) > 0)
        ;
    return strncmp(text + 9, "200", 3) == 0 ? 0 : 75;
}
'''


class ClientClock(ClientFileTest):
    def run_twice(self, command, fields="", program=PSP_HARNESS):
        """Status, the document, and what the clocks said: how far apart the runs were."""
        scenario = self.write("s.lua", "return scenario {\n" + fields + TWICE + "\n}\n")
        done = subprocess.run([program, "run", "--format", "json", "--keep", scenario, "--", "sh",
                               "-c", command], cwd=self.home, env=dict(os.environ, TMPDIR=self.boxes),
                              stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=PATIENCE, check=False)
        entry = json.loads(done.stdout)["scenarios"][0]
        moments = [int(line.split()[1]) for line in self.said(entry) if line.startswith("now ")]
        return done.returncode, entry, moments

    def said(self, entry):
        """What the client wrote, line by line."""
        with open(os.path.join(entry["box"], "history.jsonl"), encoding="utf-8") as file:
            events = [json.loads(line) for line in file]
        return [event["data"]["text"] for event in events if event["kind"] == "output"]

    def test_whoever_is_started_afterwards_has_it(self):
        status, entry, moments = self.run_twice(TWO_RUNS)
        self.assertEqual(status, PASS, entry["reasons"])
        self.assertGreaterEqual(moments[1] - moments[0], AHEAD)
        self.assertLess(moments[1] - moments[0], AHEAD + 3600)
        self.assertEqual(entry["reasons"], [])

    def test_only_the_providers_moves_where_that_is_asked_for(self):
        status, entry, moments = self.run_twice(TWO_RUNS, "clock = 'provider', ")
        self.assertEqual(status, PASS, entry["reasons"])
        self.assertLess(moments[1] - moments[0], 3600)
        self.assertEqual(entry["reasons"], [])

    def test_who_stays_behind_is_named_in_a_note(self):
        status, entry, moments = self.run_twice(BEHIND + TWO_RUNS)
        self.assertEqual(status, PASS, entry["reasons"])
        self.assertLess(moments[1] - moments[0], 3600)
        self.assertRegex(entry["reasons"][0], "^note: the clock of order_1's client stayed behind the "
                         "provider's: it does not load what LD_PRELOAD names")

    def test_where_it_matters_that_is_inconclusive_and_no_accusation(self):
        for command in (TWO_RUNS, TWO_RUNS.replace(PAYS, DOUBLE)):
            status, entry, _ = self.run_twice(BEHIND + command, "clock = 'both', ")
            self.assertEqual(status, INCONCLUSIVE, entry["reasons"])
            self.assertRegex(entry["reasons"][0], "^the scenario is about the client's clock, and the "
                             "clock of order_1's client stayed behind")
            self.assertNotIn("violated", {one["result"] for one in entry["invariants"]})
        status, entry, _ = self.run_twice(TWO_RUNS.replace(PAYS, DOUBLE), "clock = 'both', ")
        self.assertEqual(status, FAIL, "and with it the accusation is right")

    def test_a_static_program_cannot_be_reached(self):
        source = self.write("pay.c", STATIC)
        program = os.path.join(self.home, "pay")
        if subprocess.run(["cc", "-static", "-o", program, source], check=False).returncode != 0:
            self.skipTest("this machine cannot link a static program")
        late = "run = function(world) world:advance('23h'):start():wait() end"
        for fields, wanted, words in (
                (late, PASS, "note: the clock of order_1's client stayed behind"),
                ("clock = 'both', " + late, INCONCLUSIVE, "it does not load what LD_PRELOAD names, as "
                 "a static program")):
            scenario = self.write("s.lua", "return scenario { " + fields + " }\n")
            done = self.run_harness(scenario, "--", program)
            self.assertEqual(done.returncode, wanted, done.stdout)
            self.assertIn(words, done.stdout)

    def test_a_clock_that_never_moved_for_anybody(self):
        scenario = self.write("s.lua", "return scenario { clock = 'both' }\n")
        done = self.run_harness(scenario, "--", "sh", "-c", PAYS)
        self.assertEqual(done.returncode, INCONCLUSIVE, done.stdout)
        self.assertIn("no client ran behind it after it had moved: let it move earlier", done.stdout)

    def test_a_service_moves_while_it_runs(self):
        self.write("shop.py", SHOP.replace("import", "import time\nprint('now', int(time.time()),"
                                           " flush=True)\nimport", 1))
        claims = TALK + "patience = '1s',"
        scenario = self.write("s.lua", "return scenario {\nclock = 'both', run = function(world)\n"
                              "world:start():wait():advance('23h'):start('order_1'):wait() end\n}\n")
        client = self.client("service = { 'python3', 'shop.py' }, directory = '.'," + claims)
        done = self.run_harness(scenario, "--client", client)
        self.assertEqual(done.returncode, PASS, done.stdout)
        scenario = self.write("s.lua", "return scenario {\nrun = function(world)\n"
                              "world:start():wait():advance('23h'):start('order_1'):wait() end\n}\n")
        done = self.run_harness(scenario, "--client", client)
        self.assertEqual(done.returncode, PASS, done.stdout)
        self.assertIn("the clock of the client's service stayed behind the provider's: it was started "
                      "before the clock moved", done.stdout)

    def test_what_is_waited_for_takes_as_long_as_it_does(self):
        waits = self.write("waits.py", WAITS)
        status, entry, moments = self.run_twice(
            f'[ -e "$STATE_DIR/mark" ] && python3 {waits}; ' + TWO_RUNS, "clock = 'both', ")
        said = self.said(entry)
        waited = [line for line in said if line.startswith("waited ")]
        self.assertEqual(len(waited), 12, said)
        for line in waited:
            self.assertTrue(line.endswith(" True"), line)
        self.assertEqual(status, PASS, entry["reasons"])
        self.assertEqual(len(moments), 7, said)
        for moment in moments[1:]:
            self.assertGreaterEqual(moment - moments[0], AHEAD)

    def test_what_was_preloaded_is_so_still(self):
        client = self.client(
            "command = { 'sh', '-c', [[echo \"$LD_PRELOAD $ASAN_OPTIONS\"; " + PAYS + "]] },\n"
            "environment = { LD_PRELOAD = 'libm.so.6', ASAN_OPTIONS = 'detect_leaks=0' }")
        scenario = self.write("s.lua", "return scenario { clock = 'both', run = function(world)\n"
                              "world:advance('23h'):start():wait() end }\n")
        done = self.run_harness(scenario, "--client", client, "--keep", "--format", "json")
        self.assertEqual(done.returncode, PASS, done.stdout)
        self.assertRegex(self.said(json.loads(done.stdout)["scenarios"][0])[0],
                         r"/psp-clock\.so:libm\.so\.6 detect_leaks=0:verify_asan_link_order=0$")

    def test_a_harness_without_the_library_says_so(self):
        alone = os.path.join(self.home, "alone", "deep")
        os.makedirs(alone)
        program = shutil.copy(PSP_HARNESS, alone)
        status, entry, _ = self.run_twice(TWO_RUNS, "clock = 'both', ", program)
        self.assertEqual(status, INCONCLUSIVE)
        self.assertIn("psp-clock.so is not beside psp-harness, nor where it is installed",
                      entry["reasons"][0])

    def test_mistakes(self):
        for clock in ("'client'", "true", "25"):
            scenario = self.write("s.lua", f"return scenario {{ clock = {clock} }}\n")
            done = self.run_harness(scenario, "--", "true")
            self.assertEqual(done.returncode, 2)
            self.assertIn('clock is "both" or "provider"', done.stderr)


if __name__ == "__main__":
    unittest.main()
