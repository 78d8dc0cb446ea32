"""Databases that are not to be had: in use, corrupt, foreign, newer, out of reach, and a disk that runs
full. The message says what and what to do, nothing is lost, and nothing is half done."""
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import MOCKPSP, PAYMENT, Mockpsp, main, new_account  # noqa: E402

NO_LIMIT = resource.RLIM_INFINITY


class Folder(unittest.TestCase):
    def setUp(self):
        self.home = tempfile.mkdtemp(prefix="psp-e2e.")
        self.addCleanup(shutil.rmtree, self.home, ignore_errors=True)

    def path(self, name="psp.db"):
        return os.path.join(self.home, name)

    def start(self, *options, **more):
        psp = Mockpsp("--quiet", "--clock", "manual", "--db", "psp.db", *options, home=self.home,
                      **more)
        self.addCleanup(psp.clean)
        return psp

    def refused(self, path, *words, preexec=None):
        """That mockpsp does not start on PATH: exit 4, and the sentence holds WORDS and the path."""
        ended = subprocess.run([MOCKPSP, "--port", "0", "--db", path], capture_output=True, text=True,
                               timeout=60, check=False, preexec_fn=preexec)
        self.assertEqual(ended.returncode, 4, ended.stderr)
        self.assertEqual(ended.stdout, "")
        for word in (path, *words):
            self.assertIn(word, ended.stderr)
        self.assertEqual(ended.stderr.count("\n"), 1, ended.stderr)


class Unusable(Folder):
    def test_two_providers_do_not_share_a_file(self):
        psp = self.start()
        account = new_account()
        self.assertEqual(psp.ask("POST", "/v1/charges", account, "amount=1&currency=usd").status, 200)
        self.refused(self.path(), "in use", "stop")
        self.assertEqual(psp.ask("POST", "/v1/charges", account, "amount=1&currency=usd").status, 200)
        self.assertEqual(len(psp.charges(account)), 2)
        psp.kill()
        psp.restart()  # a kill lets go of it
        self.assertEqual(len(psp.charges(account)), 2)

    def test_garbage_is_refused_and_left_alone(self):
        for content in (b"this is no database, and long enough to be looked at\n" * 100,
                        b"SQLite format 3\0" + b"\xff" * 5000, os.urandom(8192)):
            with open(self.path(), "wb") as file:
                file.write(content)
            self.refused(self.path())
            with open(self.path(), "rb") as file:
                self.assertEqual(file.read(), content)
            self.assertEqual(os.listdir(self.home), ["psp.db"])

    def test_a_database_of_another_program(self):
        with sqlite3.connect(self.path()) as db:
            db.execute("CREATE TABLE theirs (x)")
            db.execute("INSERT INTO theirs VALUES (1)")
        self.refused(self.path(), "another program", "another file")
        with sqlite3.connect(self.path()) as db:
            self.assertEqual(db.execute("SELECT * FROM theirs").fetchall(), [(1,)])
            self.assertEqual(db.execute("PRAGMA journal_mode").fetchone(), ("delete",))

    def test_a_database_of_a_newer_version(self):
        self.start().stop()
        with sqlite3.connect(self.path()) as db:
            db.execute("PRAGMA user_version = 99")
        self.refused(self.path(), "newer", "99")

    def test_an_empty_file_becomes_one(self):
        open(self.path(), "wb").close()
        self.assertEqual(self.start().ledger()["charges"], [])

    def test_a_torn_tail_of_the_wal_is_forgotten(self):
        psp = self.start()
        account = new_account()
        for _ in range(5):
            psp.ask("POST", "/v1/charges", account, "amount=1&currency=usd")
        psp.kill()
        with open(self.path("psp.db-wal"), "ab") as file:
            file.write(os.urandom(3000))
        psp.restart()
        self.assertEqual(len(psp.charges(account)), 5)

    def test_places_where_no_file_can_be(self):
        open(self.path("file"), "wb").close()
        self.refused(self.path("nowhere/psp.db"), "cannot open")
        self.refused(self.path("file/psp.db"), "cannot open")
        self.refused(self.home, "cannot")

    def test_a_folder_that_may_not_be_written(self):
        def become_nobody():
            if os.getuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
        self.start().stop()
        for name, mode in (("psp.db", 0o444), ("", 0o555)):
            os.chmod(self.path(name), mode)
        try:
            self.refused(self.path(), preexec=become_nobody)
            self.refused(self.path("new.db"), "cannot", preexec=become_nobody)
        except PermissionError:
            self.skipTest("nobody may not run the program where it was built")
        finally:
            os.chmod(self.home, 0o755)


class FullDisk(Folder):
    """A disk that is full: 500 and nothing done; with room again, all goes on."""

    def fill_up(self, psp, account):
        """Pays until it fails; how often it has been paid."""
        for number in range(2000):
            answer = psp.ask("POST", "/v1/payment_intents", account, PAYMENT, f"key {number}")
            if answer.status != 200:
                self.assertEqual(answer.status, 500)
                error = json.loads(answer.body)["error"]
                self.assertEqual(error["type"], "api_error")
                self.assertIn("nothing was done", error["message"])
                return number
        return self.fail("the disk was never full")

    def assertGoesOn(self, psp, account, paid):
        """With room again: what was paid is there, what was refused is not, and its key executes."""
        self.assertEqual(len(psp.charges(account)), paid)
        for number, replayed in ((0, "true"), (paid - 1, "true"), (paid, None), (paid, "true")):
            answer = psp.ask("POST", "/v1/payment_intents", account, PAYMENT, f"key {number}")
            self.assertEqual(answer.status, 200)
            self.assertEqual(answer.header("idempotent-replayed"), replayed)
        self.assertEqual(len(psp.charges(account)), paid + 1)

    def test_a_limit_on_the_size_of_files(self):
        for limit in range(500_000, 516_384, 2_048):  # another write fails each time
            def set_limit(limit=limit):
                resource.setrlimit(resource.RLIMIT_FSIZE, (limit, NO_LIMIT))
            psp = Mockpsp("--quiet", "--db", "psp.db", preexec=set_limit)
            self.addCleanup(psp.clean)
            account = new_account()
            paid = self.fill_up(psp, account)
            self.fill_up(psp, account + "other")
            resource.prlimit(psp.process.pid, resource.RLIMIT_FSIZE, (NO_LIMIT, NO_LIMIT))
            self.assertGoesOn(psp, account, paid)
            psp.kill()
            psp.preexec = None
            psp.restart()
            self.assertEqual(len(psp.charges(account)), paid + 1)
            self.assertEqual(psp.stop(), 0)

    def test_the_clock_moves_with_its_record_or_not_at_all(self):
        limit = resource.RLIMIT_FSIZE
        psp = self.start(preexec=lambda: resource.setrlimit(limit, (500_000, NO_LIMIT)))
        now = psp.control("GET", "clock")["now_ms"]
        failed = 0
        while failed < 20:
            answer = psp.ask("POST", "/_mock/clock", None, "advance=1s")
            if answer.status == 200:
                now += 1000
            else:
                failed += 1
                psp.ask("POST", "/v1/charges", "sk_test_1", "amount=1&currency=usd")
        resource.prlimit(psp.process.pid, limit, (NO_LIMIT, NO_LIMIT))
        self.assertEqual(psp.control("GET", "clock")["now_ms"], now)
        psp.kill()
        psp.preexec = None
        psp.restart()
        self.assertEqual(psp.control("GET", "clock")["now_ms"], now)
        moved = [entry for entry in psp.journal() if entry["kind"] == "clock"]
        self.assertEqual(moved[-1]["data"]["now"], now)

    def mount(self, size):
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", self.home],
                                 capture_output=True, text=True, check=False)
        if mounted.returncode != 0:
            self.skipTest("no small file system can be mounted here: " + mounted.stderr.strip())
        self.addCleanup(subprocess.run, ["umount", "-l", self.home], check=False)

    def test_a_small_file_system(self):
        self.mount("320k")
        psp = Mockpsp("--quiet", "--db", self.path())
        self.addCleanup(psp.clean)
        for size in range(320, 2364, 204):  # another write fails each time
            account = new_account()
            paid = self.fill_up(psp, account)
            self.resize(f"{size + 204}k")
            self.assertEqual(len(psp.charges(account)), paid)
            answer = psp.ask("POST", "/v1/payment_intents", account, PAYMENT, f"key {paid}")
            self.assertEqual((answer.status, answer.header("idempotent-replayed")), (200, None))
        psp.kill()
        psp.restart()
        self.assertEqual(psp.ledger()["audit"]["wrong"], 0)

    def resize(self, size):
        subprocess.run(["mount", "-o", f"remount,size={size}", self.home], check=True)

    def test_no_room_from_the_start(self):
        self.mount("16k")
        self.refused(self.path())


del Folder  # has no tests of its own


if __name__ == "__main__":
    main()
