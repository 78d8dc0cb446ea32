"""Scripts that mean harm, in both programs, while they are loaded and when they are asked: each ends
with an error that names its line, nothing crashes, and the request asked about gets its answer.

Each of them meets both programs sanitized, and in every place where a script can be the quick ones:
what loops until it is stopped takes its time under sanitizers."""
import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "support"))
from mockpsp_process import MOCKPSP, PAYMENT, Mockpsp, main, new_account  # noqa: E402

PSP_HARNESS = os.environ["PSP_HARNESS"]
QUICK = os.environ["QUICK_DIR"]
CLIENT = ["curl", "-s", "-o", "/dev/null", "-u", "{key}:", "-d", "amount={amount}&currency={currency}"
          "&payment_method=pm_card_visa&confirm=true", "{url}/v1/payment_intents"]
PATIENCE = 120  # seconds; a script has one, the machine may be busy and its programs instrumented

LOOPS = "does not come back: stopped after"
MEMORY = "needs more than 64 MiB of memory"
DEEP = "(needs more than 64 MiB|stack overflow)"
PATTERN = "this pattern could take too long"
UNDEFINED = "is not defined"

# What the second line of the file does, and what is said of it.
STATEMENTS = [
    # Endless loops, and places to hide them in.
    ("while true do end", LOOPS),
    ("for i = 1, math.huge do end", LOOPS),
    ("::again:: goto again", LOOPS),
    ("while true do pcall(function() while true do end end) end", LOOPS),
    ("local function f() pcall(f) f() end f()", LOOPS),
    ("local function f() pcall(f) pcall(f) end f()", LOOPS),
    ("while true do pcall(pcall, pcall, function() while true do end end) end", LOOPS),
    ("while true do pcall(error, {}) end", LOOPS),
    ("('x'):gsub('x', function() while true do end end)", LOOPS),
    ("while true do pcall(string.gsub, 'x', 'x', function() while true do end end) end", LOOPS),
    ("table.sort({3, 2, 1}, function() while true do end end)", LOOPS),
    ("pcall(table.sort, {3, 2, 1}, function() pcall(function() while true do end end) end) "
     "while true do end", LOOPS),
    ("for w in ('x'):rep(1000):gmatch('x') do while true do end end", LOOPS),
    ("while true do local t = {} for i = 1, 1e6 do t[i] = i end end", LOOPS),
    ("while true do local s = ('x'):rep(16e6) end", LOOPS),
    ("local t = {} for i = 1, 1e5 do t[i] = i end while true do table.insert(t, 1, 0) "
     "table.remove(t, 1) end", LOOPS),
    ("while true do local e = history[1] or history.count {} end", LOOPS),
    ("while true do pcall(require, 'nowhere') end", LOOPS),
    ("local t <close> = nil while true do pcall(now) end", LOOPS),
    ("require('bomb')", LOOPS),
    # 10 GB.
    ("local s = ('x'):rep(1e10)", "string.rep would make more than"),
    ("local s = ('x'):rep(1e6, ('y'):rep(1e6))", "string.rep would make more than"),
    ("local s = 'x' while true do s = s .. s end", MEMORY),
    ("local t, s = {}, ('x'):rep(16e6) for i = 1, 700 do t[i] = s end s = table.concat(t)", MEMORY),
    ("local t, s = {}, ('x'):rep(16e6) for i = 1, 99 do t[i] = s end "
     "s = string.format(('%s'):rep(99), table.unpack(t))", MEMORY),
    ("local s = ('x'):rep(1e6) s = s:gsub('x', s)", MEMORY),
    ("local s = ('x'):rep(1e6) s = s:gsub('x', function() return s end)", MEMORY),
    ("local t = {} for i = 1, math.huge do t[i] = {} end", MEMORY),
    ("local t = {} while true do t[#t + 1] = function() return t end end", MEMORY),
    ("local x = table.unpack({}, 1, 1e8)", "too many results to unpack"),
    ("table.move({}, 1, math.maxinteger - 1, 1)", "table.move would move more than"),
    # Recursion, in Lua and in C.
    ("local function f() return 1 + f() end f()", DEEP),
    ("local function f(...) return 1 + f(1, ...) end f()", DEEP),
    ("local function f() ('x'):gsub('x', f) end f()", "C stack overflow"),
    ("local function f() table.sort({2, 1}, f) end f()", "C stack overflow"),
    ("local function f(n) local ok, why = pcall(f, n + 1) if n == 1 then error(why, 0) end "
     "return error(why, 0) end f(1)", "C stack overflow"),
    # Patterns and comparisons that take for ever.
    ("local x = ('a'):rep(1000):find(('.-'):rep(20) .. 'b')", PATTERN),
    ("local x = ('a'):rep(100):match(('a?'):rep(40) .. ('a'):rep(40))", PATTERN),
    ("for w in ('a'):rep(5000):gmatch('^.*.*b') do print(w) end", PATTERN),
    ("local x = ('a'):rep(1000):gsub('(.*)(.*)(.*)b', '')", PATTERN),
    ("local x = ('('):rep(100000):find('%b()')", PATTERN),
    ("local x = ('a'):rep(2000):find('(.-)%1(.-)%2b')", PATTERN),
    ("local x = ('x'):rep(16e6):find(('x'):rep(8e6) .. 'y', 1, true)", "the texts are too long"),
    ("local t, s = {}, ('x'):rep(50000) for i = 1, 1000 do t[i] = s .. i end table.sort(t)",
     "table.sort would take too long"),
    # What is not there.
    ("local t = coroutine.wrap(function() end)", "'coroutine' " + UNDEFINED),
    ("xpcall(error, function() error('again') end)", r"'xpcall' is not defined \(did you mean pcall"),
    ("setmetatable({}, {__index = function() while true do end end})", "'setmetatable' " + UNDEFINED),
    ("getmetatable('').__index = nil", "'getmetatable' " + UNDEFINED),
    ("load('return 1')()", "'load' " + UNDEFINED),
    ("loadstring('return 1')()", "'loadstring' " + UNDEFINED),
    ("string.dump(function() end)", "attempt to call a nil value .field 'dump'"),
    ("dofile('/etc/passwd')", "'dofile' " + UNDEFINED),
    ("os.exit(0)", "'os' " + UNDEFINED),
    ("io.open('/etc/passwd')", "'io' " + UNDEFINED),
    ("debug.sethook()", "'debug' " + UNDEFINED),
    ("collectgarbage('stop')", "'collectgarbage' " + UNDEFINED),
    ("rawset(history, 1, 1)", "'rawset' " + UNDEFINED),
    ("_G.pairs = nil", "'_G' " + UNDEFINED),
    ("_ENV = {} drop()", "attempt to call a nil value .global 'drop'"),
    # Files that are none of its business.
    ("require('/etc/passwd')", "require: '/etc/passwd' is no name"),
    ("require('../beside')", "is no name"),
    ("require('..beside')", "is no name"),
    ("require('outside')", "outside.lua leads out of the directory"),
    ("require('code')", "attempt to load a binary chunk"),
    ("require('nowhere')", r"there is no (.*/)?nowhere\.lua"),
    # Errors that are no sentence.
    ("error()", "raised an error that is a nil"),
    ("error({})", "raised an error that is a table"),
    ("local t = {} t[1] = t t.t = t error(t)", "raised an error that is a table"),
    ("error(print)", "raised an error that is a function"),
    ("error(('x'):rep(16e6))", "x{400}"),
    ("assert(false, history)", "raised an error that is a userdata"),
    ("local ok, why = pcall(error, 'caught') error(why .. ' and thrown')", "caught and thrown"),
    ("local x = history.nope.x", "history has no 'nope'"),
    ("history[1] = {}", "history cannot be changed"),
    ("local x = ('%s'):rep(1000):format(1)", "bad argument"),
    ("local x = ('x').y.z", "attempt to index a nil value"),
    ("tostring = error local x = #nil .. tostring({})", "attempt to get length of a nil value"),
]

# One of a kind, where what is told apart is not the script but who asks it.
FEW = STATEMENTS[::9]

# Fields of an action that no JSON can hold, and what is said of them.
BODIES = [
    ("local t = {} t.t = t", "t", "a table cannot contain itself"),
    ("local t = {} for i = 1, 10000 do t = {t} end", "t", "tables are nested too deeply"),
    ("local t = {} for i = 1, 1e6 do t[i] = i end", "t", "too many values"),
    ("local t = {} for i = 1, 15 do t = {t, t, t} end", "t", "too many values"),
    ("local t = ('x'):rep(16e6)", "t", "more than the 4 MiB that a script may hand over"),
    ("local t = function() end", "t", "a function cannot stand here"),
    ("local t = history", "t", "a function cannot stand here"),
    ("local t = {[{}] = 1}", "t", "the keys of a table are either all text"),
]

LOADED = "local req, world\n{}\nreturn scenario {{}}"
CONDITION = ("return scenario {{ faults = {{ {{ at = 'received', act = pass(), when = function(req)\n"
             "{}\nend }} }} }}")
FUNCTION = "return scenario {{ faults = function(req) if req.at == 'received' then\n{}\nend end }}"
RUN = "return scenario {{ run = function(world)\n{}\nend }}"


def bomb():
    """Code that compiles for ever: every name is looked up in 180 functions with 190 variables."""
    variables = ", ".join(f"a{i}" for i in range(190))
    return f"local function f() local {variables}\n" * 180 + "x = x " * 100000 + "end " * 180


def place(text):
    """A directory with the script TEXT in it, and what it may try to reach."""
    home = tempfile.TemporaryDirectory(prefix="psp-e2e.")
    with open(os.path.join(home.name, "a.lua"), "w", encoding="utf-8") as file:
        file.write(text)
    with open(os.path.join(home.name, "code.lua"), "wb") as file:
        file.write(b"\x1bLua\x54\x00\x19\x93\r\n\x1a\n")
    if "bomb" in text:
        with open(os.path.join(home.name, "bomb.lua"), "w", encoding="utf-8") as file:
            file.write(bomb())
    os.symlink("/etc/passwd", os.path.join(home.name, "outside.lua"))
    return home


def under_mockpsp_loaded(home, program=MOCKPSP):
    done = subprocess.run([program, "--port", "0", "--faults", "a.lua"], cwd=home, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=PATIENCE, check=False)
    return done.returncode, done.stderr


def under_mockpsp_asked(home):
    """Whose exit status is 2 when all went as it should: the request was answered with 200."""
    psp = Mockpsp("--quiet", "--faults", "a.lua", home=home, must_start=False)
    try:
        if psp.port is None:
            return psp.process.wait(), "it does not start: " + psp.stderr()
        answer = psp.ask("POST", "/v1/payment_intents", new_account(), PAYMENT)
        ended = psp.stop()
        return 2 if (answer.status, ended) == (200, 0) else (answer.status, ended), psp.stderr()
    finally:
        psp.clean()


def under_harness(home, program=PSP_HARNESS):
    done = subprocess.run([program, "run", "a.lua", "--", *CLIENT], cwd=home, text=True,
                          stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          timeout=PATIENCE, env=dict(os.environ, TMPDIR=home), check=False)
    return done.returncode, done.stdout + done.stderr


def under_quick_mockpsp_loaded(home):
    return under_mockpsp_loaded(home, f"{QUICK}/mockpsp")


def under_quick_harness(home):
    return under_harness(home, f"{QUICK}/psp-harness")


def wrong(program, text, said):
    """What is wrong with the end of PROGRAM on the script TEXT; None when it is as it should be."""
    with place(text) as home:
        status, told = program(home)
    ok = status == 2 and re.search(rf"a\.lua:\d+: .*{said}", told) and "Sanitizer" not in told
    return None if ok else f"{program.__name__}: {status}\n{text}\nwanted: {said}\n   got: {told[:2000]}"


def statements(which, around):
    """Scripts of them, and what is said: with a traceback, for it is code that has failed."""
    return [(around.format(code), said + r"[\s\S]*stack traceback:\s+a\.lua:2: in") for code, said in which]


class Hostile(unittest.TestCase):
    def check(self, programs, texts):
        """Every one of TEXTS, (text, what is said), in every one of PROGRAMS."""
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            found = list(pool.map(lambda job: wrong(*job), [
                (program, *text) for program in programs for text in texts]))
        self.assertEqual([one for one in found if one], [], "\n".join(one for one in found if one))

    def check_statements(self, programs, around):
        self.check(programs, statements(STATEMENTS, around))

    def test_while_it_is_loaded(self):
        self.check_statements((under_quick_mockpsp_loaded, under_quick_harness), LOADED)
        self.check((under_mockpsp_loaded, under_harness), statements(FEW, LOADED))

    def test_in_a_condition(self):
        self.check_statements((under_quick_harness,), CONDITION)
        self.check((under_mockpsp_asked, under_harness), statements(FEW, CONDITION))

    def test_in_a_function_that_is_asked(self):
        self.check_statements((under_mockpsp_asked,), FUNCTION)
        self.check((under_harness,), statements(FEW, FUNCTION))

    def test_in_a_run(self):
        self.check_statements((under_harness,), RUN)

    def test_what_no_answer_can_hold(self):
        self.check((under_mockpsp_loaded, under_harness), [
            (f"{code}\nreturn scenario {{ faults = {{ {{ at = 'received', act = respond(200, {{ "
             f"headers = {{}}, body = {value} }}) }} }} }}", said) for code, value, said in BODIES])
        self.check((under_mockpsp_asked, under_harness), [
            (FUNCTION.format(f"{code} return respond(200, {{ headers = {{}}, body = {value} }})"), said)
            for code, value, said in BODIES])

    def test_files_that_are_none(self):
        self.check((under_mockpsp_loaded, under_harness), [
            ("local t = {} for i = 1, 1e5 do t[i] = {} end\nreturn scenario { faults = t }",
             "faults has too many entries: at most 1000"),
            ("local s = ('x'):rep(3e6)\nlocal t = {} for i = 1, 1000 do "
             "t[i] = { at = 'received', act = respond(200, s) } end\nreturn scenario { faults = t }",
             "fault 2: body: more than the 4 MiB"),
        ])
        for program in (under_mockpsp_loaded, under_harness):
            for text, said in [
                    ("\x1bLua\x54\0\x19\x93\r\n\x1a\n", "a.lua: attempt to load a binary chunk"),
                    ("x = " + "(" * 100000, "a.lua: C stack overflow"),
                    ("return " + "{" * 100000, "a.lua: C stack overflow"),
                    (bomb(), LOOPS),
                    (" " * (1 << 20) + "\n", "a.lua: larger than 1 MiB"),
                    ("return scenario {\n}}", "a.lua:2: ")]:
                with place(text) as home:
                    status, told = program(home)
                self.assertEqual((status, said in told), (2, True), told[:2000])


if __name__ == "__main__":
    main()
