/* Coroutines in the Lua state: they wait, go on, and keep to the limits. */
#include "luahost.h"

#include <criterion/criterion.h>
#include <lauxlib.h>
#include <lua.h>
#include <string.h>

/* A coroutine of one script, that goes on body after body. */
struct run {
    const char *text;
    lua_State *thread;
    bool waits;
    lua_Integer got; /* what it has returned */
};

static int wait_word(lua_State *lua)
{
    return lua_yield(lua, 0);
}

static int begin(lua_State *lua)
{
    struct run *run = luahost_context(lua);
    lua_pushcfunction(lua, wait_word);
    lua_setglobal(lua, "wait");
    run->thread = lua_newthread(lua);
    luaL_ref(lua, LUA_REGISTRYINDEX);
    luahost_push_code(lua, run->text, strlen(run->text), luahost_chunk(luahost_of(lua)));
    lua_xmove(lua, run->thread, 1);
    run->waits = luahost_resume(lua, run->thread, 0);
    return 0;
}

static int go_on(lua_State *lua)
{
    struct run *run = luahost_context(lua);
    lua_pushinteger(run->thread, 20);
    run->waits = luahost_resume(lua, run->thread, 1);
    run->got = run->waits ? 0 : lua_tointeger(run->thread, 1);
    return 0;
}

Test(lua_resume, waits_and_goes_on)
{
    struct err_text why;
    struct run run = {.text = "local a = wait() local b = wait() return a + b + 2"};
    struct luahost *host = luahost_new("t.lua", 1);
    cr_assert_eq(luahost_run(host, begin, &run, &why), ERR_OK, "%s", why.text);
    cr_expect(run.waits);
    cr_assert_eq(luahost_run(host, go_on, &run, &why), ERR_OK);
    cr_expect(run.waits);
    cr_assert_eq(luahost_run(host, go_on, &run, &why), ERR_OK);
    cr_expect_not(run.waits);
    cr_expect_eq(run.got, 42);
    luahost_free(host);
}

/* That it fails with START in front of the message, after it has waited once or at once. */
static void expect_error(const char *text, bool at_once, const char *start)
{
    struct err_text why = {0};
    struct run run = {.text = text};
    struct luahost *host = luahost_new("t.lua", 1);
    enum err err = luahost_run(host, begin, &run, &why);
    if (!at_once) {
        cr_assert_eq(err, ERR_OK, "%s", why.text);
        err = luahost_run(host, go_on, &run, &why);
    }
    cr_expect_eq(err, ERR_SCRIPT);
    cr_expect_eq(strncmp(why.text, start, strlen(start)), 0, "%s", why.text);
    struct run other = {.text = "return wait()"};
    cr_expect_eq(luahost_run(host, begin, &other, &why), ERR_OK, "others go on: %s", why.text);
    cr_expect(other.waits);
    luahost_free(host);
}

Test(lua_resume, an_error_has_its_place_and_its_traceback)
{
    expect_error("local function f()\nerror('no')\nend\nf()", true,
                 "t.lua:2: no\nstack traceback:\n    t.lua:2: in ");
    expect_error("wait()\nlocal x = nil\nreturn x.y", false, "t.lua:3: attempt to index a nil");
    expect_error("wait() error({})", false, "t.lua:1: the script raised an error that is a table");
}

Test(lua_resume, the_limits_hold, .timeout = 60)
{
    expect_error("while true do end", true, "t.lua:1: the script does not come back");
    expect_error("wait() while true do pcall(function() while true do end end) end", false,
                 "t.lua:1: the script does not come back");
    expect_error("wait()\nlocal t = {}\nfor i = 1, 1e9 do t[i] = 'x' .. i end", false,
                 "t.lua:3: the script ");
}

Test(lua_resume, pcall_may_wait)
{
    struct err_text why;
    struct run run = {.text = "local ok, n = pcall(function() return wait() end) return ok and n"};
    struct luahost *host = luahost_new("t.lua", 1);
    cr_assert_eq(luahost_run(host, begin, &run, &why), ERR_OK, "%s", why.text);
    cr_assert_eq(luahost_run(host, go_on, &run, &why), ERR_OK, "%s", why.text);
    cr_expect_eq(run.got, 20);
    luahost_free(host);
}
