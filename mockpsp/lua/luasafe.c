#include "luasafe.h"

#include "log.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#define MOST_STEPS    2e8 /* of the pattern matcher in one call: less than half a second */
#define MOST_REPEATED ((lua_Integer)16 << 20) /* times, and bytes, of string.rep */
#define MOST_PRINTED  2000                    /* bytes of a line */
#define MOST_MOVED    1000000                 /* elements of table.move */

static const char *const BASE[] = {"assert", "error",    "ipairs",   "next", "pairs",    "pcall",
                                   "select", "tonumber", "tostring", "type", "_VERSION", NULL};
static const char *const STRING[] = {"byte",  "char",  "find", "format",  "gmatch", "gsub",  "len",
                                     "lower", "match", "rep",  "reverse", "sub",    "upper", NULL};
static const char *const TABLE[] = {"concat", "insert", "move",   "pack",
                                    "remove", "sort",   "unpack", NULL};
static const char *const MATH[] = {
    "abs",  "acos",   "asin", "atan", "ceil",       "cos",        "deg",  "exp",  "floor",
    "fmod", "huge",   "log",  "max",  "maxinteger", "mininteger", "min",  "modf", "pi",
    "rad",  "random", "sin",  "sqrt", "tan",        "tointeger",  "type", "ult",  NULL};
static const char *const UTF8[] = {"char", "charpattern", "codepoint", "codes",
                                   "len",  "offset",      NULL};

static bool listed(const char *const *names, const char *name)
{
    for (; *names != NULL; names++)
        if (strcmp(*names, name) == 0)
            return true;
    return false;
}

/* Removes what is not in NAMES from the table on top of the stack. */
static void keep_only(lua_State *lua, const char *const *names)
{
    lua_pushnil(lua);
    while (lua_next(lua, -2) != 0) {
        lua_pop(lua, 1);
        if (!listed(names, lua_tostring(lua, -1))) {
            lua_pushvalue(lua, -1);
            lua_pushnil(lua);
            lua_rawset(lua, -4); /* emptying a field while walking is allowed */
        }
    }
}

/* Leaves the library's table on the stack. */
static void open_library(lua_State *lua, const char *name, lua_CFunction open,
                         const char *const *names)
{
    luaL_requiref(lua, name, open, 1);
    keep_only(lua, names);
}

static int print(lua_State *lua)
{
    int count = lua_gettop(lua);
    luaL_Buffer line;
    luaL_buffinit(lua, &line);
    for (int i = 1; i <= count; i++) {
        if (i > 1)
            luaL_addchar(&line, '\t');
        luaL_tolstring(lua, i, NULL);
        luaL_addvalue(&line);
    }
    luaL_pushresult(&line);
    log_info("%.*s", MOST_PRINTED, lua_tostring(lua, -1));
    return 0;
}

/* The function that a bounded one stands for. Called in its place, not from it: so its errors name
 * the script's line. */
static int original(lua_State *lua)
{
    return lua_tocfunction(lua, lua_upvalueindex(1))(lua);
}

/* Steps past a set such as [%w_-]; AT is on its bracket. */
static const char *skip_set(const char *at, const char *end)
{
    at++;
    if (at < end && *at == '^')
        at++;
    if (at < end && *at == ']')
        at++;
    for (; at < end && *at != ']'; at++)
        if (*at == '%' && at + 1 < end)
            at++;
    return at;
}

/* The matcher tries, for every start, all ways to share the text out between the items that may
 * repeat: with k of them, n+k over k. */
double luasafe_pattern_cost(const char *pattern, size_t length, double starts, size_t text_length)
{
    const char *end = pattern + length;
    double n = (double)text_length;
    double ways = 1;
    double longest_set = 1;
    int repeats = 0;
    for (const char *at = pattern; at < end; at++) {
        bool repeat = *at == '*' || *at == '+' || *at == '-';
        if (*at == '[') {
            const char *from = at;
            at = skip_set(at, end);
            if ((double)(at - from) > longest_set)
                longest_set = (double)(at - from);
        } else if (*at == '%' && at + 1 < end) {
            at++;
            repeat = *at == 'b' || (*at >= '0' && *at <= '9');
        } else if (*at == '?') {
            ways *= 2;
        }
        if (repeat) {
            repeats++;
            ways *= (n + repeats) / repeats;
        }
    }
    return starts * (ways * longest_set + (double)length);
}

static int bounded_search(lua_State *lua, bool anchors)
{
    size_t length = 0;
    size_t text_length = 0;
    const char *text = lua_tolstring(lua, 1, &text_length);
    const char *pattern = lua_tolstring(lua, 2, &length);
    if (text != NULL && pattern != NULL) {
        double starts = anchors && *pattern == '^' ? 1 : (double)text_length + 1;
        if (luasafe_pattern_cost(pattern, length, starts, text_length) > MOST_STEPS)
            return luaL_error(lua,
                              "this pattern could take too long on a text of %d bytes: "
                              "use fewer of * + - ?, anchor it with ^, or shorten the text",
                              (int)text_length);
    }
    return original(lua);
}

static int bounded_match(lua_State *lua)
{
    return bounded_search(lua, true);
}

/* To gmatch ^ is a letter like any other. */
static int bounded_gmatch(lua_State *lua)
{
    return bounded_search(lua, false);
}

static int bounded_find(lua_State *lua)
{
    if (!lua_toboolean(lua, 4))
        return bounded_match(lua);
    size_t length = 0;
    size_t text_length = 0;
    if (lua_tolstring(lua, 1, &text_length) != NULL && lua_tolstring(lua, 2, &length) != NULL &&
        (double)length * (double)text_length > MOST_STEPS)
        return luaL_error(lua, "the texts are too long to search one in the other");
    return original(lua);
}

static int bounded_rep(lua_State *lua)
{
    size_t length;
    size_t separator;
    luaL_checklstring(lua, 1, &length);
    lua_Integer times = luaL_checkinteger(lua, 2);
    luaL_optlstring(lua, 3, "", &separator);
    double bytes = ((double)length + (double)separator) * (double)times;
    if (times > MOST_REPEATED || bytes > (double)MOST_REPEATED)
        return luaL_error(lua, "string.rep would make more than %d bytes", (int)MOST_REPEATED);
    return original(lua);
}

static int bounded_move(lua_State *lua)
{
    lua_Integer from = luaL_checkinteger(lua, 2);
    lua_Integer to = luaL_checkinteger(lua, 3);
    if ((double)to - (double)from >= MOST_MOVED)
        return luaL_error(lua, "table.move would move more than %d elements", MOST_MOVED);
    return original(lua);
}

/* Longest text among the first COUNT elements of the list at INDEX, 1 when there is none. */
static size_t longest_text(lua_State *lua, int index, lua_Unsigned count)
{
    size_t longest = 1;
    for (lua_Unsigned i = 1; i <= count; i++) {
        if (lua_rawgeti(lua, index, (lua_Integer)i) == LUA_TSTRING && lua_rawlen(lua, -1) > longest)
            longest = lua_rawlen(lua, -1);
        lua_pop(lua, 1);
    }
    return longest;
}

/* Without a function to compare by, nothing of it is the script's code, and no hook reaches it. */
static int bounded_sort(lua_State *lua)
{
    if (lua_istable(lua, 1) && lua_isnoneornil(lua, 2)) {
        lua_Unsigned count = lua_rawlen(lua, 1);
        double steps =
            (double)count * log2((double)count + 1) * (double)longest_text(lua, 1, count);
        if (steps > MOST_STEPS)
            return luaL_error(lua, "table.sort would take too long on %d elements", (int)count);
    }
    return original(lua);
}

/* Replaces a function of the library on top of the stack. */
static void bound(lua_State *lua, const char *name, lua_CFunction bounded)
{
    lua_getfield(lua, -1, name);
    lua_pushcclosure(lua, bounded, 1);
    lua_setfield(lua, -2, name);
}

/* Text has methods, ("x"):rep(3); what finds them is not for scripts to change. */
static void lock_string_metatable(lua_State *lua)
{
    lua_pushliteral(lua, "");
    if (lua_getmetatable(lua, -1)) {
        lua_pushboolean(lua, false);
        lua_setfield(lua, -2, "__metatable");
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
}

/* Before the list is applied: randomseed is not on it. */
static void seed_random(lua_State *lua, uint64_t seed)
{
    luaL_requiref(lua, "math", luaopen_math, 1);
    lua_getfield(lua, -1, "randomseed");
    lua_pushinteger(lua, (lua_Integer)seed);
    lua_pushinteger(lua, 0);
    lua_call(lua, 2, 0);
    keep_only(lua, MATH);
    lua_pop(lua, 1);
}

void luasafe_open(lua_State *lua, uint64_t seed)
{
    open_library(lua, "_G", luaopen_base, BASE);
    lua_pushcfunction(lua, print);
    lua_setfield(lua, -2, "print");
    open_library(lua, "string", luaopen_string, STRING);
    bound(lua, "find", bounded_find);
    bound(lua, "match", bounded_match);
    bound(lua, "gmatch", bounded_gmatch);
    bound(lua, "gsub", bounded_match);
    bound(lua, "rep", bounded_rep);
    lock_string_metatable(lua);
    open_library(lua, "table", luaopen_table, TABLE);
    bound(lua, "move", bounded_move);
    bound(lua, "sort", bounded_sort);
    open_library(lua, "utf8", luaopen_utf8, UTF8);
    lua_pop(lua, 4);
    seed_random(lua, seed);
}
