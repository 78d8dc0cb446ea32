#include "luarules.h"

#include "luahost.h"
#include "luajson.h"
#include "mem.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

#define MOST_LEVELS 20 /* of lists in lists of actions; luajson refuses more */

/* A table with names instead of numbers would otherwise look like an empty list. */
static void check_list(lua_State *lua, int index, int line)
{
    size_t count = lua_rawlen(lua, index);
    if (count > SCHEDULE_MOST_RULES)
        luahost_fail(lua, line, "faults has too many entries: at most 1000");
    lua_pushnil(lua);
    while (lua_next(lua, index) != 0) {
        lua_pop(lua, 1);
        if (!lua_isinteger(lua, -1) || lua_tointeger(lua, -1) < 1 ||
            (size_t)lua_tointeger(lua, -1) > count)
            luahost_fail(lua, line,
                         "faults is a list of tables, so mind the double braces: "
                         "faults = { { on = …, at = …, act = … }, … }");
    }
}

/* The line that the table on top of the stack was made in by a word; 0 when it was not. */
static int line_of_word(lua_State *lua)
{
    if (!lua_istable(lua, -1))
        return 0;
    lua_getfield(lua, -1, "line");
    int line = (int)lua_tointeger(lua, -1);
    lua_pop(lua, 1);
    return line;
}

/* Where the rule on top of the stack was made, if a word made it; else where its first action was,
 * or LINE. */
static int line_of_rule(lua_State *lua, int line)
{
    int own = line_of_word(lua);
    if (own > 0)
        return own;
    lua_getfield(lua, -1, "act");
    int found = line_of_word(lua);
    for (int level = 0; found == 0 && lua_istable(lua, -1) && level < MOST_LEVELS; level++) {
        lua_rawgeti(lua, -1, 1);
        lua_remove(lua, -2);
        found = line_of_word(lua);
    }
    lua_pop(lua, 1);
    return found > 0 ? found : line;
}

/* Puts a copy in the place of the table on top of the stack: the script may use it twice. */
static void copy_table(lua_State *lua)
{
    lua_newtable(lua);
    lua_pushnil(lua);
    while (lua_next(lua, -3) != 0) {
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, -4);
    }
    lua_remove(lua, -2);
}

/* Removes `when`, which is no data, from the rule on top of the stack; a reference to it. */
static int take_when(lua_State *lua, size_t number, int line)
{
    int type = lua_getfield(lua, -1, "when");
    if (type == LUA_TNIL) {
        lua_pop(lua, 1);
        return LUA_NOREF;
    }
    if (type != LUA_TFUNCTION)
        luahost_fail(lua, line,
                     lua_pushfstring(lua,
                                     "fault %d: when is a function(req) that returns true "
                                     "or false",
                                     (int)number));
    int reference = luaL_ref(lua, LUA_REGISTRYINDEX);
    lua_pushnil(lua);
    lua_setfield(lua, -2, "when");
    return reference;
}

/* Pushes the list without its conditions, which go into RULES. */
static void split(struct luarules *rules, lua_State *lua, int index, int line)
{
    size_t count = lua_rawlen(lua, index);
    rules->whens = mem_alloc((count + 1) * sizeof *rules->whens);
    rules->lines = mem_alloc((count + 1) * sizeof *rules->lines);
    lua_newtable(lua);
    for (size_t i = 0; i < count; i++) {
        if (lua_rawgeti(lua, index, (lua_Integer)i + 1) != LUA_TTABLE)
            luahost_fail(lua, line,
                         lua_pushfstring(lua,
                                         "fault %d is no table: write { on = \"POST *\", "
                                         "attempt = 1, at = \"after_commit\", act = drop() }",
                                         (int)i + 1));
        copy_table(lua);
        rules->lines[i] = line_of_rule(lua, line);
        rules->whens[i] = take_when(lua, i + 1, rules->lines[i]);
        lua_pushnil(lua);
        lua_setfield(lua, -2, "line");
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
}

/* Adds rule number I of the list on top of the stack. Raises nothing: its memory is not Lua's. */
static enum err add_rule(struct luarules *rules, lua_State *lua, size_t i, size_t *room,
                         struct err_text *why)
{
    struct json *json;
    struct fault_rule rule;
    lua_rawgeti(lua, -1, (lua_Integer)i + 1);
    enum err err = luajson_read_within(lua, -1, room, &json, why);
    lua_pop(lua, 1);
    if (err == ERR_OK)
        err = fault_rule_from_json(json, &rule, why);
    json_free(json);
    if (err != ERR_OK)
        return err;
    rule.line = rules->lines[i];
    rule.narrowed = rules->whens[i] != LUA_NOREF;
    schedule_add(&rules->schedule, rule);
    return ERR_OK;
}

void luarules_read(struct luarules *rules, lua_State *lua, int index, int line)
{
    struct err_text why = {0};
    size_t room = LUAJSON_ROOM;
    check_list(lua, index, line);
    split(rules, lua, index, line);
    size_t count = lua_rawlen(lua, -1);
    for (size_t i = 0; i < count; i++)
        if (add_rule(rules, lua, i, &room, &why) != ERR_OK)
            luahost_fail(lua, rules->lines[i],
                         lua_pushfstring(lua, "fault %d: %s", (int)i + 1, why.text));
    lua_pop(lua, 1);
    for (size_t i = 0; i < count; i++)
        if (schedule_check_rule(&rules->schedule, i, &why) != ERR_OK)
            luahost_fail(lua, rules->lines[i], why.text);
}

void luarules_release(struct luarules *rules)
{
    schedule_release(&rules->schedule);
    free(rules->whens);
    free(rules->lines);
    *rules = (struct luarules){0};
}
