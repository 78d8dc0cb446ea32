#include "spread_words.h"

#include "luahost.h"
#include "spread.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>

/* uniform {low = "10ms", high = "2s"}; but a list is the value of an option that takes one:
 * samples {"5ms", "5ms", "900ms"}. */
static bool is_by_name(lua_State *lua, const struct spread_option *first)
{
    return lua_istable(lua, 1) && (first->type != SPREAD_DURATIONS || lua_rawlen(lua, 1) == 0);
}

static void take_by_name(lua_State *lua)
{
    lua_pushnil(lua);
    while (lua_next(lua, 1) != 0) {
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, -4);
    }
}

static void take_in_order(lua_State *lua, enum spread_kind kind, int count)
{
    for (int i = 1; i <= count; i++) {
        const struct spread_option *option = spread_option(kind, i - 1);
        if (option == NULL) {
            luaL_error(lua, "%s takes %d values, and this is number %d", spread_name(kind), i - 1,
                       i);
        } else {
            lua_pushvalue(lua, i);
            lua_setfield(lua, -2, option->name);
        }
    }
}

/* What the values mean is decided in one place, when the table is read. */
static int use_spread(lua_State *lua)
{
    enum spread_kind kind = (enum spread_kind)lua_tointeger(lua, lua_upvalueindex(1));
    int count = lua_gettop(lua);
    lua_newtable(lua);
    if (count == 1 && is_by_name(lua, spread_option(kind, 0)))
        take_by_name(lua);
    else
        take_in_order(lua, kind, count);
    lua_pushstring(lua, spread_name(kind));
    lua_setfield(lua, -2, "spread");
    lua_pushinteger(lua, luahost_place(lua, 1));
    lua_setfield(lua, -2, "line");
    return 1;
}

void spread_words_define(lua_State *lua)
{
    for (int kind = 0; kind < SPREAD_COUNT; kind++) {
        lua_pushinteger(lua, kind);
        lua_pushcclosure(lua, use_spread, 1);
        lua_setglobal(lua, spread_name((enum spread_kind)kind));
    }
}
