#include "client_file.h"

#include "buf.h"
#include "client.h"
#include "client_fields.h"
#include "client_internal.h"
#include "luahost.h"
#include "luamodules.h"
#include "mem.h"
#include "scriptfile.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>

/* client { … }: the same table, which knows where it stands. */
static int client_word(lua_State *lua)
{
    if (!lua_istable(lua, 1) || lua_gettop(lua) != 1)
        return luaL_error(lua, "client takes a table: return client { command = { … } }");
    lua_pushinteger(lua, luahost_place(lua, 1));
    lua_setfield(lua, 1, "line");
    return 1;
}

/* Of the table at the bottom of the stack; they were checked. */
static void keep_functions(lua_State *lua, struct client_file *client)
{
    for (int i = 0; i < CLIENT_FUNCTION_COUNT; i++) {
        if (lua_getfield(lua, 1, client_function_name((enum client_function)i)) == LUA_TFUNCTION)
            client->functions[i] = luaL_ref(lua, LUA_REGISTRYINDEX);
        else
            lua_pop(lua, 1);
    }
}

struct loading {
    struct client_file *client;
    const struct buf *text;
};

static int load(lua_State *lua)
{
    struct loading *loading = luahost_context(lua);
    struct client_file *client = loading->client;
    lua_pushlightuserdata(lua, client);
    lua_setfield(lua, LUA_REGISTRYINDEX, "client_file");
    lua_pushcfunction(lua, client_word);
    lua_setglobal(lua, "client");
    words_http_open(lua);
    words_sh_open(lua);
    words_sqlite_open(lua);
    luamodules_open(client->modules, lua);
    luahost_push_code(lua, buf_string(loading->text), loading->text->len,
                      luahost_chunk(luahost_of(lua)));
    luamodules_own_globals(lua);
    lua_call(lua, 0, 1);
    client_fields_read(lua, &client->plan);
    keep_functions(lua, client);
    return 0;
}

enum err client_file_load(const char *file, uint64_t seed, struct client_file **client,
                          struct err_text *why)
{
    struct buf text = {0};
    *client = NULL;
    enum err err = scriptfile_read(file, file, &text, why);
    if (err == ERR_OK) {
        struct client_file *made = mem_alloc(sizeof *made);
        made->host = luahost_new(file, seed);
        made->modules = luamodules_new(made->host);
        for (int i = 0; i < CLIENT_FUNCTION_COUNT; i++)
            made->functions[i] = LUA_NOREF;
        err = luahost_run(made->host, load, &(struct loading){made, &text}, why);
        if (err == ERR_OK)
            *client = made;
        else
            client_file_free(made);
    }
    buf_release(&text);
    return err;
}

struct client_file *client_file_of_command(char *const *command)
{
    struct client_file *client = mem_alloc(sizeof *client);
    client->plan.command = client_list_copy(command);
    client->plan.environment = mem_alloc(sizeof *client->plan.environment);
    client->plan.processes = 1;
    return client;
}

void client_file_free(struct client_file *client)
{
    if (client == NULL)
        return;
    client_plan_release(&client->plan);
    luahost_free(client->host);
    luamodules_free(client->modules);
    free(client);
}

const struct client_plan *client_file_plan(const struct client_file *client)
{
    return &client->plan;
}
