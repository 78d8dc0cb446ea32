/* sqlite(file, sql, …): a look into a client's own database. */
#include "client_internal.h"
#include "luajson.h"
#include "mem.h"
#include "peek.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

#define MOST_VALUES 20
#define AGAIN_MS    10
#define MOST_TRIES  300 /* while somebody writes */

/* A query that finds the database busy, and tries again. */
struct look {
    struct client_task *task;
    char *file;
    char *sql;
    struct peek_value values[MOST_VALUES];
    int count;
    int tries;
    struct loop_timer *timer;
    struct json *rows; /* NULL: err says why */
    enum err err;
    struct err_text why;
};

static void look_free(void *what)
{
    struct look *look = what;
    loop_timer_stop(look->timer);
    for (int i = 0; i < look->count; i++)
        free((char *)(uintptr_t)look->values[i].text);
    free(look->file);
    free(look->sql);
    json_free(look->rows);
    free(look);
}

/* The rows (or nil), why there are none, and whether that is a mistake of the script's: there may
 * just be nothing to look into yet. */
static int push_rows(lua_State *lua, const void *values)
{
    const struct look *look = values;
    luajson_push(lua, look->rows);
    lua_pushstring(lua, look->rows == NULL ? look->why.text : NULL);
    lua_pushboolean(lua, look->rows == NULL && look->err != ERR_NOT_FOUND && look->err != ERR_BUSY);
    return 3;
}

/* Where the script goes on. */
static int looked(lua_State *lua, int status, lua_KContext context)
{
    (void)status;
    (void)context;
    if (lua_toboolean(lua, -1))
        return luaL_error(lua, "sqlite: %s", lua_tostring(lua, -2));
    lua_pop(lua, 1);
    return 2;
}

static void look_once(void *context)
{
    struct look *look = context;
    look->timer = NULL;
    look->err = peek(look->file, look->sql, look->values, look->count, &look->rows, &look->why);
    if (look->err == ERR_BUSY && ++look->tries < MOST_TRIES) {
        look->timer = loop_after(task_scene(look->task)->loop, AGAIN_MS, look_once, look);
        return;
    }
    task_wake(look->task, push_rows, look);
    look_free(look);
}

static struct peek_value value_at(lua_State *lua, int index)
{
    switch (lua_type(lua, index)) {
    case LUA_TNUMBER:
        return lua_isinteger(lua, index)
                   ? (struct peek_value){.type = PEEK_INTEGER, .integer = lua_tointeger(lua, index)}
                   : (struct peek_value){.type = PEEK_REAL, .real = lua_tonumber(lua, index)};
    case LUA_TBOOLEAN:
        return (struct peek_value){.type = PEEK_INTEGER, .integer = lua_toboolean(lua, index)};
    case LUA_TSTRING:
        return (struct peek_value){.type = PEEK_TEXT, .text = mem_strdup(lua_tostring(lua, index))};
    default:
        return (struct peek_value){.type = PEEK_NULL};
    }
}

static void check_arguments(lua_State *lua)
{
    if (lua_type(lua, 1) != LUA_TSTRING || lua_type(lua, 2) != LUA_TSTRING)
        luaL_error(lua, "write sqlite(\"app.db\", \"SELECT … WHERE id = ?\", order.id)");
    if (lua_gettop(lua) - 2 > MOST_VALUES)
        luaL_error(lua, "sqlite takes at most %d values", MOST_VALUES);
    for (int i = 3; i <= lua_gettop(lua); i++)
        if (lua_type(lua, i) != LUA_TSTRING && lua_type(lua, i) != LUA_TNUMBER &&
            lua_type(lua, i) != LUA_TBOOLEAN && lua_type(lua, i) != LUA_TNIL)
            luaL_error(lua, "sqlite: value %d is a %s", i - 2, luaL_typename(lua, i));
}

static int sqlite(lua_State *lua)
{
    struct client_task *task = task_of(lua);
    const struct client_values *values = &task_scene(task)->values;
    check_arguments(lua);
    struct look *look = mem_alloc(sizeof *look);
    char *file = client_fill(lua_tostring(lua, 1), values);
    look->task = task;
    look->file = *file == '/' ? mem_strdup(file) : mem_printf("%s/%s", values->state, file);
    look->sql = mem_strdup(lua_tostring(lua, 2));
    for (int i = 3; i <= lua_gettop(lua); i++)
        look->values[look->count++] = value_at(lua, i);
    free(file);
    look->timer = loop_after(task_scene(task)->loop, 0, look_once, look);
    task_waits(task, (struct task_wait){look, look_free});
    return lua_yieldk(lua, 0, 0, looked);
}

void words_sqlite_open(lua_State *lua)
{
    lua_pushcfunction(lua, sqlite);
    lua_setglobal(lua, "sqlite");
}
