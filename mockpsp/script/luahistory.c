#include "luahistory.h"

#include "luafields.h"
#include "luajson.h"
#include "nearest.h"
#include "vocabulary.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdbool.h>
#include <string.h>

/* Which events are counted. */
struct filter {
    bool any_kind;
    enum event_kind kind;
    const char *order; /* NULL: any, or none */
    uint64_t request;  /* 0: any, or none */
};

static const struct record *record_of(lua_State *lua)
{
    return lua_touserdata(lua, lua_upvalueindex(1));
}

static void push_event(lua_State *lua, const struct record *record, const struct event *event)
{
    static const char *const names[] = {
#define FIELD_NAME(name, type, what) #name,
        EVENT_FIELD_LIST(FIELD_NAME)
#undef FIELD_NAME
            NULL};
    lua_createtable(lua, 0, 5);
    lua_pushstring(lua, event_name(event->kind));
    lua_setfield(lua, -2, "kind");
    lua_pushinteger(lua, record_at_ms(record, event));
    lua_setfield(lua, -2, "at");
    lua_pushstring(lua, event->order); /* NULL becomes nil */
    lua_setfield(lua, -2, "order");
    if (event->request != 0) {
        lua_pushinteger(lua, (lua_Integer)event->request);
        lua_setfield(lua, -2, "request");
    }
    luajson_push(lua, event->data);
    lua_setfield(lua, -2, "data");
    luafields_only(lua, "an event", names);
}

/* --- history.count ---------------------------------------------------------------------------- */

static void read_kind(lua_State *lua, struct filter *filter)
{
    const char *names[EVENT_COUNT + 1] = {0};
    const char *name = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "?";
    for (int i = 0; i < EVENT_COUNT; i++)
        names[i] = event_name((enum event_kind)i);
    if (!event_parse_kind(name, &filter->kind))
        luaL_error(lua, "history.count: '%s' is no kind of event%s", name,
                   nearest_hint(name, names).text);
    filter->any_kind = false;
}

/* The field whose name and value are on top of the stack. */
static void read_field(lua_State *lua, struct filter *filter)
{
    static const char *const names[] = {"kind", "order", "request", NULL};
    const char *name = lua_type(lua, -2) == LUA_TSTRING ? lua_tostring(lua, -2) : "1";
    if (strcmp(name, "kind") == 0)
        read_kind(lua, filter);
    else if (strcmp(name, "order") == 0 && lua_type(lua, -1) == LUA_TSTRING)
        filter->order = lua_tostring(lua, -1);
    else if (strcmp(name, "request") == 0 && lua_isinteger(lua, -1))
        filter->request = (uint64_t)lua_tointeger(lua, -1);
    else if (strcmp(name, "order") == 0 || strcmp(name, "request") == 0)
        luaL_error(lua, "history.count: order is text, and request a whole number");
    else
        luaL_error(lua, "history.count knows no '%s'%s: kind, order, request", name,
                   nearest_hint(name, names).text);
}

static bool fits(const struct event *event, const struct filter *filter)
{
    if (!filter->any_kind && event->kind != filter->kind)
        return false;
    if (filter->request != 0 && event->request != filter->request)
        return false;
    return filter->order == NULL ||
           (event->order != NULL && strcmp(event->order, filter->order) == 0);
}

static int history_count(lua_State *lua)
{
    const struct record *record = record_of(lua);
    struct filter filter = {.any_kind = true};
    lua_Integer count = 0;
    if (!lua_istable(lua, 1))
        return luaL_error(lua, "history.count takes a table: "
                               "history.count {kind = \"effect\", order = req.order}");
    lua_settop(lua, 1);
    lua_pushnil(lua);
    while (lua_next(lua, 1) != 0) {
        read_field(lua, &filter);
        lua_pop(lua, 1); /* the table keeps it alive */
    }
    for (size_t i = 0; i < record_count(record); i++)
        count += fits(record_event(record, i), &filter);
    lua_pushinteger(lua, count);
    return 1;
}

/* --- history ---------------------------------------------------------------------------------- */

static int history_length(lua_State *lua)
{
    lua_pushinteger(lua, (lua_Integer)record_count(record_of(lua)));
    return 1;
}

/* Upvalues: the record, and history.count. */
static int history_index(lua_State *lua)
{
    static const char *const members[] = {"count", NULL};
    const struct record *record = record_of(lua);
    if (lua_type(lua, 2) == LUA_TNUMBER) {
        lua_Integer number = lua_tointeger(lua, 2); /* 0 when it is no whole one */
        if (number < 1 || (size_t)number > record_count(record))
            return 0;
        push_event(lua, record, record_event(record, (size_t)number - 1));
        return 1;
    }
    const char *name = lua_type(lua, 2) == LUA_TSTRING ? lua_tostring(lua, 2) : "?";
    if (strcmp(name, "count") != 0)
        return luaL_error(lua, "history has no '%s'%s: it has #history, history[1], history.count",
                          name, nearest_hint(name, members).text);
    lua_pushvalue(lua, lua_upvalueindex(2));
    return 1;
}

static int history_is_written(lua_State *lua)
{
    return luaL_error(lua, "history cannot be changed");
}

static int now(lua_State *lua)
{
    lua_pushinteger(lua, record_now_ms(record_of(lua)));
    return 1;
}

/* Lua has no pointers to what cannot be changed. */
static void push_record(lua_State *lua, const struct record *record)
{
    lua_pushlightuserdata(lua, (void *)(uintptr_t)record);
}

static void push_function(lua_State *lua, const struct record *record, lua_CFunction function)
{
    push_record(lua, record);
    lua_pushcclosure(lua, function, 1);
}

void luahistory_open(const struct record *record, lua_State *lua)
{
    push_function(lua, record, now);
    lua_setglobal(lua, "now");
    lua_newuserdatauv(lua, 0, 0);
    lua_createtable(lua, 0, 3);
    push_record(lua, record);
    push_function(lua, record, history_count);
    lua_pushcclosure(lua, history_index, 2);
    lua_setfield(lua, -2, "__index");
    push_function(lua, record, history_length);
    lua_setfield(lua, -2, "__len");
    push_function(lua, record, history_is_written);
    lua_setfield(lua, -2, "__newindex");
    lua_setmetatable(lua, -2);
    lua_setglobal(lua, "history");
}
