#include "words.h"

#include "action.h"
#include "luahost.h"
#include "nearest.h"
#include "prelude.h"
#include "spread_words.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_GLOBALS 150 /* more than there are */

/* --- an action: delay("2s"), dribble(1, "100ms"), respond(503, {store = true}) -----------------
 */

static bool is_spread(lua_State *lua, int index)
{
    lua_getfield(lua, index, "spread");
    bool there = !lua_isnil(lua, -1);
    lua_pop(lua, 1);
    return there;
}

/* A table at INDEX in the place of OPTION holds options by name, unless it is the option's value.
 */
static bool is_by_name(lua_State *lua, int index, const struct action_option *option)
{
    if (!lua_istable(lua, index) || option == NULL)
        return lua_istable(lua, index);
    return option->type != OPTION_HEADERS && !is_spread(lua, index);
}

/* Copies the options of the table at INDEX into the one on top of the stack. */
static void take_by_name(lua_State *lua, int index)
{
    lua_pushnil(lua);
    while (lua_next(lua, index) != 0) {
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, -4);
    }
}

/* What the values mean is decided in one place, when the table is read. */
static int use_action(lua_State *lua)
{
    int kind = (int)lua_tointeger(lua, lua_upvalueindex(1));
    int count = lua_gettop(lua);
    lua_newtable(lua);
    for (int i = 1; i <= count; i++) {
        const struct action_option *option = action_option(kind, i - 1);
        if (is_by_name(lua, i, option)) {
            take_by_name(lua, i);
        } else if (option == NULL) {
            luaL_error(lua, "%s takes %d values, and this is number %d", action_name(kind), i - 1,
                       i);
        } else {
            lua_pushvalue(lua, i);
            lua_setfield(lua, -2, option->name);
        }
    }
    lua_pushstring(lua, action_name(kind));
    lua_setfield(lua, -2, "kind");
    lua_pushinteger(lua, luahost_place(lua, 1));
    lua_setfield(lua, -2, "line");
    return 1;
}

static void define_actions(lua_State *lua)
{
    for (int kind = 0; kind < ACTION_COUNT; kind++) {
        lua_pushinteger(lua, kind);
        lua_pushcclosure(lua, use_action, 1);
        lua_setglobal(lua, action_name(kind));
    }
}

/* --- the words of prelude.lua ----------------------------------------------------------------- */

/* Calls the word that it holds, and notes in the table that comes back where the script used it. It
 * is a C function because Lua forgets the caller's line in `return drop()`, a tail call, for its
 * own. */
static int use_word(lua_State *lua)
{
    int place = luahost_place(lua, 1);
    lua_pushvalue(lua, lua_upvalueindex(1));
    lua_insert(lua, 1);
    lua_call(lua, lua_gettop(lua) - 1, 1);
    if (lua_istable(lua, -1)) {
        lua_pushinteger(lua, place);
        lua_setfield(lua, -2, "line");
    }
    return 1;
}

static void define_prelude(lua_State *lua)
{
    luahost_push_code(lua, PRELUDE, strlen(PRELUDE), "prelude");
    lua_call(lua, 0, 1);
    lua_pushnil(lua);
    while (lua_next(lua, -2) != 0) {
        lua_pushcclosure(lua, use_word, 1);
        lua_setglobal(lua, lua_tostring(lua, -2));
    }
    lua_pop(lua, 1);
}

/* --- a misspelt word is nil in plain Lua, and the message then speaks of a nil value -----------
 */

static int by_name(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* What NAME was meant to be, of the words and of what Lua brings. */
static struct nearest_text hint_for(lua_State *lua, const char *name)
{
    const char *words[MOST_GLOBALS + 1] = {0}; /* Lua's own: they live as long as the table */
    size_t count = 0;
    lua_pushglobaltable(lua);
    lua_pushnil(lua);
    while (lua_next(lua, -2) != 0 && count < MOST_GLOBALS) {
        lua_pop(lua, 1);
        words[count++] = lua_tostring(lua, -1);
    }
    qsort(words, count, sizeof *words, by_name); /* Lua's order changes from run to run */
    return nearest_hint(name, words);
}

/* What Lua has elsewhere, and why it is not here. */
static const char *withheld(const char *name)
{
    static const struct {
        const char *name;
        const char *why;
    } names[] = {
        {"os", "a script has no processes and no clock but now()"},
        {"io", "a script has no files; print(…) writes a line"},
        {"dofile", "require \"lib.name\" runs lib/name.lua beside the scenario"},
        {"loadfile", "require \"lib.name\" runs lib/name.lua beside the scenario"},
        {"load", "a script runs what stands in files"},
        {"package", "require \"lib.name\" runs lib/name.lua beside the scenario"},
        {"coroutine", "a script has no coroutines"},
        {"setmetatable", "a script has no metatables"},
        {"getmetatable", "a script has no metatables"},
        {"debug", "a script that fails is told with its traceback"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strcmp(names[i].name, name) == 0)
            return names[i].why;
    return NULL;
}

static int unknown_word(lua_State *lua)
{
    const char *name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?";
    const char *why = withheld(name);
    if (why != NULL)
        return luaL_error(lua, "'%s' is not defined here: %s", name, why);
    return luaL_error(lua,
                      "'%s' is not defined%s; psp-harness list has every word, and what a file "
                      "defines itself has to stand above",
                      name, hint_for(lua, name).text);
}

static void refuse_unknown_words(lua_State *lua)
{
    lua_pushglobaltable(lua);
    lua_newtable(lua);
    lua_pushcfunction(lua, unknown_word);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    lua_pop(lua, 1);
}

void words_define(lua_State *lua)
{
    define_actions(lua);
    spread_words_define(lua);
    define_prelude(lua);
    refuse_unknown_words(lua);
}
