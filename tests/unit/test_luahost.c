/* The Lua state against scripts that mean harm, and scripts that only make mistakes. */
#include "luahost.h"
#include "luasafe.h"
#include "watchdog.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <lauxlib.h>
#include <lua.h>
#include <string.h>

#define FILE_NAME "somewhere/else/t.lua"

static int run_text(lua_State *lua)
{
    const char *text = *(const char **)luahost_context(lua);
    luahost_push_code(lua, text, strlen(text), luahost_chunk(luahost_of(lua)));
    lua_call(lua, 0, 0);
    return 0;
}

static enum err run(struct luahost *host, const char *text, struct err_text *why)
{
    *why = (struct err_text){0};
    return luahost_run(host, run_text, &text, why);
}

static void expect_fine(const char *text)
{
    struct err_text why;
    struct luahost *host = luahost_new(FILE_NAME, 1);
    cr_expect_eq(run(host, text, &why), ERR_OK, "%s\n%s", text, why.text);
    luahost_free(host);
}

/* That TEXT fails with START in front of the message, and that the state can still be used. */
static void expect_error(const char *text, const char *start)
{
    struct err_text why;
    struct luahost *host = luahost_new(FILE_NAME, 1);
    cr_expect_eq(run(host, text, &why), ERR_SCRIPT, "%s", text);
    cr_expect(strncmp(why.text, start, strlen(start)) == 0, "%s\nwanted: %s\n   got: %s", text,
              start, why.text);
    cr_expect_eq(run(host, "local t = {} for i = 1, 100 do t[i] = i end", &why), ERR_OK, "%s",
                 why.text);
    luahost_free(host);
}

Test(luahost, runs_a_script)
{
    expect_fine("local x = 0 for i = 1, 10 do x = x + i end assert(x == 55)");
}

Test(luahost, has_the_libraries_that_a_script_needs)
{
    expect_fine(
        "assert(('abc'):upper() == 'ABC' and string.format('%d', 3) == '3')"
        "assert(table.concat({1, 2}, '-') == '1-2' and math.max(1, 2) == 2)"
        "assert(utf8.char(228) == 'ä' and tonumber('12') == 12 and select('#', 1, 2) == 2)"
        "assert(pcall(error, 'x') == false and next({}) == nil and type(_VERSION) == 'string')");
}

Test(luahost, has_nothing_that_reaches_outside_or_around_the_limits)
{
    static const char *const names[] = {
        "io",          "os",           "debug",           "package",    "require",
        "load",        "dofile",       "loadfile",        "loadstring", "collectgarbage",
        "coroutine",   "setmetatable", "rawset",          "rawget",     "getmetatable",
        "xpcall",      "_G",           "math.randomseed", "warn",       "rawlen",
        "string.dump", "string.pack",  "string.unpack",   "rawequal"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        char text[100];
        snprintf(text, sizeof text, "assert(%s == nil, '%s is there')", names[i], names[i]);
        expect_fine(text);
    }
}

Test(luahost, names_file_and_line_of_a_syntax_error)
{
    expect_error("local x = 1\nlocal y = = 2", FILE_NAME ":2: unexpected symbol near '='");
}

Test(luahost, names_file_and_line_of_an_error_at_run_time)
{
    expect_error("local x\nlocal y = x.z",
                 FILE_NAME ":2: attempt to index a nil value (local 'x')");
    expect_error("\nerror('my own')", FILE_NAME ":2: my own");
    expect_error("\n('x'):rep()", FILE_NAME ":2: bad argument #1 to 'rep'");
    expect_error("\n('x'):find()", FILE_NAME ":2: bad argument #1 to 'find'");
}

Test(luahost, tells_how_control_got_there)
{
    struct err_text why;
    struct luahost *host = luahost_new(FILE_NAME, 1);
    run(host,
        "local function inner() error('deep') end\nlocal function outer() inner() end\nouter()",
        &why);
    cr_assert_str_eq(why.text, FILE_NAME ":1: deep\nstack traceback:\n"
                                         "    t.lua:1: in function 'inner'\n"
                                         "    t.lua:2: in function 'outer'\n"
                                         "    t.lua:3: in the main chunk");
    luahost_free(host);
}

Test(luahost, errors_that_are_no_text_are_told_as_well)
{
    expect_error("\nerror({})", FILE_NAME ":2: the script raised an error that is a table");
    expect_error("\nerror()", FILE_NAME ":2: the script raised an error that is a nil");
    expect_error("\nerror(print)", FILE_NAME ":2: the script raised an error that is a function");
    expect_error("\nerror('no place', 0)", FILE_NAME ":2: no place");
}

Test(luahost, a_long_file_name_is_told_whole)
{
    struct err_text why;
    char name[300];
    snprintf(name, sizeof name, "/%0200d/%s", 0,
             "and_a_file_name_that_is_longer_than_the_59_bytes_that_lua_keeps.lua");
    struct luahost *host = luahost_new(name, 1);
    run(host, "local x = nil + 1", &why);
    cr_assert(strncmp(why.text, name, strlen(name)) == 0, "%s", why.text);
    cr_assert(strncmp(why.text + strlen(name), ":1: attempt to perform arithmetic", 33) == 0, "%s",
              why.text);
    luahost_free(host);
}

Test(luahost, refuses_bytecode)
{
    struct err_text why;
    struct luahost *host = luahost_new(FILE_NAME, 1);
    cr_assert_eq(run(host, "\033Lua", &why), ERR_SCRIPT);
    cr_assert_not_null(strstr(why.text, "binary"), "%s", why.text);
    luahost_free(host);
}

#define LOOP FILE_NAME ":1: the script does not come back"

Test(luahost, ends_an_endless_loop)
{
    expect_error("while true do end", LOOP);
    expect_error("for i = 1, math.huge do end", LOOP);
    expect_error("repeat until false", LOOP);
    expect_error("::again:: goto again", LOOP);
    expect_error("local function f() return f() end f()", LOOP);
}

Test(luahost, an_endless_loop_cannot_hide_in_pcall)
{
    expect_error("while true do pcall(function() while true do end end) end", LOOP);
    expect_error("pcall(function() while true do end end) while true do end", LOOP);
    expect_error("return pcall(function() while true do end end)", LOOP);
    expect_error("local function f() pcall(f) f() end f()", LOOP);
    expect_error("local ok = pcall(pcall, pcall, function() while true do end end)", LOOP);
    expect_error("while true do pcall(error, 'x') end", LOOP);
    expect_error("table.sort({3, 2, 1}, function() while true do end end)", LOOP);
    expect_error("('x'):gsub('x', function() while true do end end)", LOOP);
    expect_error(
        "pcall(table.sort, {3, 2, 1}, function() pcall(function() while true do end end) end)"
        "while true do end",
        LOOP);
}

#define MEMORY FILE_NAME ":1: the script needs more than 64 MiB of memory"

Test(luahost, ends_a_script_that_takes_all_memory)
{
    expect_error("local t = {} for i = 1, 1e9 do t[i] = {} end", MEMORY);
    expect_error("local s = 'x' while true do s = s .. s end", MEMORY);
    expect_error("local t = {('x'):rep(16e6)} for i = 2, 9 do t[i] = t[1] .. i end", MEMORY);
    expect_error("local t = {} for i = 1, 9 do t[i] = ('x'):rep(16e6 - i) end "
                 "table.concat(t)",
                 MEMORY);
}

Test(luahost, a_script_may_survive_its_memory_error)
{
    expect_fine("local ok, why = pcall(function() local s = 'x' while true do s = s .. s end end) "
                "assert(not ok and why == 'not enough memory')");
}

Test(luahost, deep_recursion_is_an_error_not_a_crash)
{
    expect_error("local function f() return 1 + f() end f()", MEMORY);
    expect_error("local t = {} local function f() table.sort({1, 2}, f) end f()", FILE_NAME ":1: ");
    expect_fine("local function f() return 1 + f() end assert(not pcall(f))");
    expect_fine("local function f() ('x'):gsub('x', f) end assert(not pcall(f))");
}

Test(luahost, deep_nesting_in_the_source_is_an_error_not_a_crash)
{
    char text[1900] = "x = ";
    memset(text + 4, '(', 1800);
    text[1804] = '\0';
    expect_error(text, FILE_NAME ": C stack overflow");
    memset(text + 4, '{', 1800);
    expect_error(text, FILE_NAME ": C stack overflow");
}

Test(luahost, library_functions_are_bounded)
{
    expect_error("('x'):rep(1e9)", FILE_NAME ":1: string.rep would make more than");
    expect_error("('x'):rep(math.maxinteger)", FILE_NAME ":1: string.rep would make more than");
    expect_error("(''):rep(1e15)", FILE_NAME ":1: string.rep would make more than");
    expect_error("('x'):rep(1e6, ('y'):rep(1000))",
                 FILE_NAME ":1: string.rep would make more than");
    expect_error("table.move({}, 1, math.maxinteger - 1, 1)",
                 FILE_NAME ":1: table.move would move");
    expect_error("table.move({}, math.mininteger, math.maxinteger, 1)", FILE_NAME ":1: ");
    expect_error("local t = {} for i = 1, 1000 do t[i] = ('x'):rep(60000) .. i end table.sort(t)",
                 FILE_NAME ":1: table.sort would take too long on 1000 elements");
    expect_fine("local t = {'b', 'a'} table.sort(t) assert(t[1] == 'a')"
                "table.sort(t, function(x, y) return x > y end) assert(t[1] == 'b')");
    expect_error("table.unpack({}, 1, 1e8)", FILE_NAME ":1: too many results to unpack");
    expect_error("('x'):rep(16e6):find(('x'):rep(8e6) .. 'y', 1, true)",
                 FILE_NAME ":1: the texts are too long");
    expect_fine(
        "assert(('ab'):rep(3, '-') == 'ab-ab-ab' and ('x'):rep(-1) == '' and ('x'):rep(0) == '')");
    expect_fine("assert(#table.move({1, 2, 3}, 1, 3, 2) == 4)");
}

#define PATTERN FILE_NAME ":1: this pattern could take too long"

Test(luahost, patterns_that_take_for_ever_are_refused)
{
    expect_error("('a'):rep(1000):find(('.-'):rep(20) .. 'b')", PATTERN);
    expect_error("('a'):rep(100):match(('a?'):rep(40) .. ('a'):rep(40))", PATTERN);
    expect_error("('a'):rep(100000):find('.*b')", PATTERN);
    expect_error("('a'):rep(1000):gsub('(.*)(.*)(.*)b', '')", PATTERN);
    expect_error("('a'):rep(5000):gmatch('^.*.*b')", PATTERN);
    expect_error("('('):rep(100000):find('%b()')", PATTERN);
    expect_error("('a'):rep(2000):find('(.-)%1(.-)%2b')", PATTERN);
    expect_error("('a'):rep(10000):find('[' .. ('b'):rep(20000) .. ']*c')", PATTERN);
}

Test(luahost, patterns_that_people_write_are_not)
{
    expect_fine("assert(('key = value'):match('^(%w+)%s*=%s*(%w+)$') == 'key')");
    expect_fine("assert(('/v1/refunds/re_123'):match('^/v1/([%w_-]+)/([%w_-]+)$') == 'refunds')");
    expect_fine("assert((('x '):rep(500):gsub('%s+', '')) == ('x'):rep(500))");
    expect_fine("assert(('  trim me  '):match('^%s*(.-)%s*$') == 'trim me')");
    expect_fine(
        "local n = 0 for w in ('one two three'):gmatch('%a+') do n = n + 1 end assert(n == 3)");
    expect_fine("assert(('a.b'):find('.', 1, true) == 2 and ('a+b'):find('+', 2, true) == 2)");
    expect_fine("assert(('x]y'):find('[]]') == 2 and ('x-y'):find('[a-]') == 2)");
}

Test(luahost, what_a_pattern_costs)
{
    cr_expect_eq(luasafe_pattern_cost("abc", 3, 1, 100), 4);
    cr_expect_eq(luasafe_pattern_cost("a*", 2, 1, 9), 12);
    cr_expect_eq(luasafe_pattern_cost("a%*", 3, 1, 9), 4);
    cr_expect_eq(luasafe_pattern_cost("[*+-]", 5, 1, 9), 4 + 5);
    cr_expect_eq(luasafe_pattern_cost("[^]*]+", 6, 2, 9), 2 * (10 * 4 + 6));
    cr_expect_eq(luasafe_pattern_cost("a?b?", 4, 1, 9), 4 + 4);
    cr_expect_eq(luasafe_pattern_cost("%b()", 4, 1, 9), 10 + 4);
    cr_expect_eq(luasafe_pattern_cost("a*b*", 4, 1, 9), 55 + 4);
    cr_expect_eq(luasafe_pattern_cost("%", 1, 1, 9), 2);
    cr_expect_eq(luasafe_pattern_cost("[", 1, 1, 9), 2);
    cr_expect_eq(luasafe_pattern_cost("[a%", 3, 1, 9), 3 + 3);
}

static int draw(lua_State *lua)
{
    lua_Integer *drawn = luahost_context(lua);
    lua_getglobal(lua, "math");
    lua_getfield(lua, -1, "random");
    lua_pushinteger(lua, (lua_Integer)1 << 60);
    lua_call(lua, 1, 1);
    *drawn = lua_tointeger(lua, -1);
    return 0;
}

Test(luahost, the_seed_decides_random_numbers)
{
    static const uint64_t seeds[] = {7, 7, 8, UINT64_C(1) << 63, 0};
    lua_Integer drawn[5];
    for (int i = 0; i < 5; i++) {
        struct luahost *host = luahost_new(FILE_NAME, seeds[i]);
        cr_assert_eq(luahost_run(host, draw, &drawn[i], NULL), ERR_OK);
        luahost_free(host);
    }
    cr_assert_eq(drawn[0], drawn[1]);
    for (int i = 2; i < 5; i++)
        for (int j = 1; j < i; j++)
            cr_assert_neq(drawn[i], drawn[j]);
}

Test(luahost, print_writes_a_line_for_people, .init = cr_redirect_stderr)
{
    expect_fine("print('hello', 1, nil, true)");
    cr_assert_stderr_eq_str("mockpsp: hello\t1\tnil\ttrue\n");
}

/* --- bodies in bodies, and the outside world -------------------------------------------------- */

struct outer {
    struct luahost *host;
    enum err inner;
    struct err_text why;
};

static int loop_inside(lua_State *lua)
{
    struct outer *outer = luahost_context(lua);
    luahost_leave(outer->host);
    outer->inner = run(outer->host, "pcall(function() while true do end end)", &outer->why);
    luahost_enter(outer->host);
    luahost_push_code(lua, "for i = 1, 1e6 do end", 21, "t.lua");
    lua_call(lua, 0, 0);
    return 0;
}

Test(luahost, a_body_that_fails_does_not_fail_the_one_around_it)
{
    struct err_text why = {0};
    struct outer outer = {.host = luahost_new(FILE_NAME, 1)};
    cr_assert_eq(luahost_run(outer.host, loop_inside, &outer, &why), ERR_OK, "%s", why.text);
    cr_assert_eq(outer.inner, ERR_SCRIPT);
    cr_assert_not_null(strstr(outer.why.text, "does not come back"));
    luahost_free(outer.host);
}

static int stop(lua_State *lua)
{
    luahost_stop(lua, ERR_IO, "the world ended");
}

static int catch_a_stop(lua_State *lua)
{
    static const char text[] = "while true do pcall(stop) end";
    lua_pushcfunction(lua, stop);
    lua_setglobal(lua, "stop");
    luahost_push_code(lua, text, strlen(text), "t.lua");
    lua_call(lua, 0, 0);
    return 0;
}

Test(luahost, a_stop_cannot_be_caught_and_keeps_its_words)
{
    struct err_text why;
    struct luahost *host = luahost_new(FILE_NAME, 1);
    cr_assert_eq(luahost_run(host, catch_a_stop, NULL, &why), ERR_IO);
    cr_assert_str_eq(why.text, "the world ended");
    luahost_free(host);
}

/* --- the watchdog ----------------------------------------------------------------------------- */

static volatile int asked;

static void note(void *context)
{
    (void)context;
    asked++;
}

Test(watchdog, ends_what_does_not_stop, .exit_code = 2)
{
    watchdog_start(&(struct watch){.file = "x.lua", .soft_ms = 5, .stuck_ms = 5});
    for (;;)
        ;
}

Test(watchdog, asks_first)
{
    watchdog_start(&(struct watch){.file = "x", .soft_ms = 5, .stuck_ms = 60000, .expired = note});
    cr_assert_not(watchdog_expired());
    while (!watchdog_expired())
        ;
    watchdog_stop();
    cr_assert_eq(asked, 1);
}
