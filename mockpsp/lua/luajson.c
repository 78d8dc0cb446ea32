#include "luajson.h"

#include "mem.h"

#include <lua.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LEVELS 20
#define MOST_VALUES 2000
#define VALUE_ROOM  16 /* bytes that a value counts beside its text */

/* One conversion. The stack of values under way is kept in tables[], to find circles. */
struct reader {
    lua_State *lua;
    const void *tables[MOST_LEVELS];
    int levels;
    int values;
    size_t *room;     /* bytes that are still allowed */
    const char *name; /* of the member being read, for messages; NULL at the top */
    struct err_text *why;
};

static enum err read_value(struct reader *reader, int index, struct json **json);

static enum err refuse(struct reader *reader, const char *what)
{
    if (reader->name == NULL)
        return err_say(reader->why, ERR_INVALID, "%s", what);
    return err_say(reader->why, ERR_INVALID, "%.60s: %s", reader->name, what);
}

static enum err read_number(struct reader *reader, int index, struct json **json)
{
    double number = lua_tonumber(reader->lua, index);
    if (lua_isinteger(reader->lua, index))
        *json = json_int(lua_tointeger(reader->lua, index));
    else if (isfinite(number))
        *json = json_double(number);
    else
        return refuse(reader, "a number has to be finite");
    return ERR_OK;
}

/* One text may stand in a thousand places, and only once in the script's memory. */
static enum err take_room(struct reader *reader, size_t length)
{
    if (length > *reader->room)
        return refuse(reader, "more than the 4 MiB that a script may hand over");
    *reader->room -= length;
    return ERR_OK;
}

static enum err read_string(struct reader *reader, int index, struct json **json)
{
    size_t length;
    const char *text = lua_tolstring(reader->lua, index, &length);
    if (strlen(text) != length)
        return refuse(reader, "text cannot hold a zero byte");
    enum err err = take_room(reader, length);
    if (err == ERR_OK)
        *json = json_string(text);
    return err;
}

/* Length of the list at INDEX, 0 when it is none (or empty). */
static lua_Unsigned list_length(lua_State *lua, int index)
{
    lua_Unsigned length = lua_rawlen(lua, index);
    lua_Unsigned count = 0;
    lua_pushnil(lua);
    while (lua_next(lua, index) != 0) {
        lua_pop(lua, 1);
        count++;
    }
    if (length == 0 || count != length)
        return 0;
    for (lua_Unsigned i = 1; i <= length; i++) {
        int type = lua_rawgeti(lua, index, (lua_Integer)i);
        lua_pop(lua, 1);
        if (type == LUA_TNIL)
            return 0;
    }
    return length;
}

static enum err read_list(struct reader *reader, int index, lua_Unsigned length, struct json **json)
{
    *json = json_array();
    enum err err = ERR_OK;
    for (lua_Unsigned i = 1; i <= length && err == ERR_OK; i++) {
        struct json *element = NULL;
        lua_rawgeti(reader->lua, index, (lua_Integer)i);
        err = read_value(reader, lua_gettop(reader->lua), &element);
        lua_pop(reader->lua, 1);
        if (err == ERR_OK)
            json_push(*json, element);
    }
    return err;
}

/* The names of the members, not owned: Lua keeps them alive as long as the table has them. NULL
 * when one is no text. */
static const char **member_names(struct reader *reader, int index, size_t *count)
{
    lua_State *lua = reader->lua;
    const char **names = NULL;
    *count = 0;
    lua_pushnil(lua);
    while (lua_next(lua, index) != 0) {
        lua_pop(lua, 1);
        size_t length;
        if (lua_type(lua, -1) != LUA_TSTRING || strlen(lua_tolstring(lua, -1, &length)) != length ||
            *count == MOST_VALUES) {
            lua_pop(lua, 1);
            free(names);
            return NULL;
        }
        names = mem_resize(names, *count + 1, sizeof *names);
        names[(*count)++] = lua_tostring(lua, -1);
    }
    return names == NULL ? mem_alloc(1) : names;
}

static int by_name(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

/* In order of name: the order of a Lua table changes from run to run. */
static enum err read_members(struct reader *reader, int index, struct json **json)
{
    lua_State *lua = reader->lua;
    size_t count;
    const char **names = member_names(reader, index, &count);
    if (names == NULL)
        return refuse(reader, "the keys of a table are either all text, or 1, 2, 3 … without gaps");
    qsort(names, count, sizeof *names, by_name);
    *json = json_object();
    const char *outer = reader->name;
    enum err err = ERR_OK;
    for (size_t i = 0; i < count && err == ERR_OK; i++) {
        struct json *member = NULL;
        reader->name = names[i];
        err = take_room(reader, strlen(names[i]));
        if (err != ERR_OK)
            break;
        lua_pushnil(lua);
        while (lua_next(lua, index) != 0 && lua_tostring(lua, -2) != names[i])
            lua_pop(lua, 1);
        err = read_value(reader, lua_gettop(lua), &member);
        lua_pop(lua, 2);
        if (err == ERR_OK)
            json_set(*json, names[i], member);
    }
    reader->name = outer;
    free(names);
    return err;
}

static enum err read_table(struct reader *reader, int index, struct json **json)
{
    const void *table = lua_topointer(reader->lua, index);
    for (int i = 0; i < reader->levels; i++)
        if (reader->tables[i] == table)
            return refuse(reader, "a table cannot contain itself");
    if (reader->levels == MOST_LEVELS)
        return refuse(reader, "tables are nested too deeply");
    reader->tables[reader->levels++] = table;
    lua_Unsigned length = list_length(reader->lua, index);
    enum err err =
        length > 0 ? read_list(reader, index, length, json) : read_members(reader, index, json);
    reader->levels--;
    return err;
}

static enum err read_value(struct reader *reader, int index, struct json **json)
{
    *json = NULL;
    if (++reader->values > MOST_VALUES || !lua_checkstack(reader->lua, 8))
        return refuse(reader, "too many values");
    enum err err = take_room(reader, VALUE_ROOM);
    if (err != ERR_OK)
        return err;
    switch (lua_type(reader->lua, index)) {
    case LUA_TNIL:
        *json = json_null();
        break;
    case LUA_TBOOLEAN:
        *json = json_bool(lua_toboolean(reader->lua, index));
        break;
    case LUA_TNUMBER:
        err = read_number(reader, index, json);
        break;
    case LUA_TSTRING:
        err = read_string(reader, index, json);
        break;
    case LUA_TTABLE:
        err = read_table(reader, index, json);
        break;
    default:
        err = refuse(reader, "a function cannot stand here: parentheses call it, as in drop()");
    }
    if (err != ERR_OK) {
        json_free(*json);
        *json = NULL;
    }
    return err;
}

enum err luajson_read(lua_State *lua, int index, struct json **json, struct err_text *why)
{
    size_t room = LUAJSON_ROOM;
    return luajson_read_within(lua, index, &room, json, why);
}

enum err luajson_read_within(lua_State *lua, int index, size_t *room, struct json **json,
                             struct err_text *why)
{
    struct reader reader = {.lua = lua, .room = room, .why = why};
    return read_value(&reader, lua_absindex(lua, index), json);
}

static void push_children(lua_State *lua, const struct json *json)
{
    bool list = json_is_array(json);
    lua_Integer i = 0;
    lua_newtable(lua);
    for (const struct json *child = json_first(json); child != NULL; child = json_next(child)) {
        luajson_push(lua, child);
        if (list)
            lua_rawseti(lua, -2, ++i);
        else
            lua_setfield(lua, -2, json_name(child));
    }
}

void luajson_push(lua_State *lua, const struct json *json)
{
    int64_t whole;
    double number;
    if (!lua_checkstack(lua, 8)) {
        lua_pushliteral(lua, "not enough memory");
        lua_error(lua);
    }
    if (json_is_object(json) || json_is_array(json))
        push_children(lua, json);
    else if (json_as_string(json) != NULL)
        lua_pushstring(lua, json_as_string(json));
    else if (json_is_bool(json))
        lua_pushboolean(lua, json_as_bool(json));
    else if (json_as_int(json, &whole))
        lua_pushinteger(lua, whole);
    else if (json_as_double(json, &number))
        lua_pushnumber(lua, number);
    else
        lua_pushnil(lua);
}
