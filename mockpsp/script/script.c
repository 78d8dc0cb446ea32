#include "script.h"

#include "luafaults.h"
#include "luahost.h"
#include "luajson.h"
#include "mem.h"
#include "words.h"

#include <errno.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_BYTES ((size_t)1 << 20) /* of a file: far more than anybody writes */

struct script {
    struct luahost *host;
    struct luafaults *faults;
    char *title; /* or NULL */
    int orders;  /* 0: not said */
    int run;     /* reference, or LUA_NOREF */
    bool has_dialect;
    struct dialect dialect;
};

/* --- the file -------------------------------------------------------------------------------- */

static enum err read_all(FILE *file, const char *name, struct buf *text, struct err_text *why)
{
    char part[4096];
    size_t length;
    while ((length = fread(part, 1, sizeof part, file)) > 0) {
        buf_add(text, part, length);
        if (text->len > MOST_BYTES)
            return err_say(why, ERR_SCRIPT, "%s: larger than 1 MiB: that is no scenario", name);
    }
    if (ferror(file))
        return err_say(why, ERR_IO, "%s: cannot read it: %s", name, strerror(errno));
    return ERR_OK;
}

static enum err read_file(const char *name, struct buf *text, struct err_text *why)
{
    struct stat status;
    /* A fifo would let us wait for ever for somebody to write. */
    if (stat(name, &status) == 0 && !S_ISREG(status.st_mode))
        return err_say(why, ERR_IO, "%s: is no file", name);
    FILE *file = fopen(name, "re");
    if (file == NULL)
        return err_say(why, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: cannot open it: %s",
                       name, strerror(errno));
    enum err err = read_all(file, name, text, why);
    fclose(file);
    return err;
}

/* --- what it returned ------------------------------------------------------------------------ */

static void check_fields(lua_State *lua, int line)
{
    static const char *const fields[] = {"title", "orders", "faults", "dialect", "run", "line"};
    lua_pushnil(lua);
    while (lua_next(lua, -2) != 0) {
        lua_pop(lua, 1);
        bool known = false;
        const char *name = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "1";
        for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
            known = known || strcmp(fields[i], name) == 0;
        if (!known)
            luahost_fail(lua, line,
                         lua_pushfstring(lua,
                                         "a scenario has no field '%s': it has title, orders, "
                                         "faults, dialect, run",
                                         name));
    }
}

static void read_title(struct script *script, lua_State *lua, int line)
{
    int type = lua_getfield(lua, -1, "title");
    const char *title = lua_tostring(lua, -1);
    if (type != LUA_TNIL && (type != LUA_TSTRING || strpbrk(title, "\r\n") != NULL))
        luahost_fail(lua, line, "title is text, in one line");
    script->title = mem_strdup(title);
    lua_pop(lua, 1);
}

static void read_orders(struct script *script, lua_State *lua, int line)
{
    int type = lua_getfield(lua, -1, "orders");
    lua_Integer orders = lua_tointeger(lua, -1);
    if (type != LUA_TNIL && (!lua_isinteger(lua, -1) || orders < 1 || orders > SCRIPT_MOST_ORDERS))
        luahost_fail(
            lua, line,
            lua_pushfstring(lua, "orders is a whole number from 1 to %d", SCRIPT_MOST_ORDERS));
    script->orders = (int)orders;
    lua_pop(lua, 1);
}

static void read_dialect(struct script *script, lua_State *lua, int line)
{
    struct json *json = NULL;
    struct err_text why;
    if (lua_getfield(lua, -1, "dialect") != LUA_TNIL) {
        enum err err = luajson_read(lua, -1, &json, &why);
        if (err == ERR_OK)
            err = dialect_from_json(json, &script->dialect, &why);
        json_free(json);
        if (err != ERR_OK)
            luahost_fail(lua, line, why.text);
        script->has_dialect = true;
    }
    lua_pop(lua, 1);
}

static void read_run(struct script *script, lua_State *lua, int line)
{
    int type = lua_getfield(lua, -1, "run");
    if (type == LUA_TFUNCTION) {
        script->run = luaL_ref(lua, LUA_REGISTRYINDEX);
        return;
    }
    if (type != LUA_TNIL)
        luahost_fail(lua, line, "run is a function: run = function(world) … end");
    lua_pop(lua, 1);
}

static void read_scenario(struct script *script, lua_State *lua)
{
    if (!lua_istable(lua, -1) || lua_getfield(lua, -1, "line") != LUA_TNUMBER)
        luahost_fail(lua, 0,
                     "a scenario file ends with: return scenario { title = …, faults = … }");
    int line = (int)lua_tointeger(lua, -1);
    lua_pop(lua, 1);
    check_fields(lua, line);
    read_title(script, lua, line);
    read_orders(script, lua, line);
    read_dialect(script, lua, line);
    read_run(script, lua, line);
    lua_getfield(lua, -1, "faults");
    luafaults_read(script->faults, lua, -1, line);
    lua_pop(lua, 2);
}

/* --- loading --------------------------------------------------------------------------------- */

struct loading {
    struct script *script;
    const struct buf *text;
};

static int load(lua_State *lua)
{
    struct loading *loading = luahost_context(lua);
    words_define(lua);
    luahost_push_code(lua, buf_string(loading->text), loading->text->len,
                      luahost_chunk(luahost_of(lua)));
    lua_call(lua, 0, 1);
    read_scenario(loading->script, lua);
    return 0;
}

enum err script_load(const char *file, const struct script_options *options, struct script **script,
                     struct err_text *why)
{
    struct buf text = {0};
    *script = NULL;
    enum err err = read_file(file, &text, why);
    if (err == ERR_OK) {
        struct script *made = mem_alloc(sizeof *made);
        made->host = luahost_new(file, options->seed);
        made->faults = luafaults_new(made->host, options->kills_clients);
        made->run = LUA_NOREF;
        struct loading loading = {made, &text};
        err = luahost_run(made->host, load, &loading, why);
        if (err == ERR_OK)
            *script = made;
        else
            script_free(made);
    }
    buf_release(&text);
    return err;
}

void script_free(struct script *script)
{
    if (script == NULL)
        return;
    luafaults_free(script->faults);
    luahost_free(script->host);
    free(script->title);
    free(script);
}

const char *script_file(const struct script *script)
{
    return luahost_file(script->host);
}

/* A script cannot load other files. */
const char *script_part(const struct script *script, size_t n)
{
    (void)script;
    (void)n;
    return NULL;
}

const char *script_title(const struct script *script)
{
    return script->title;
}

int script_orders(const struct script *script)
{
    return script->orders;
}

const struct dialect *script_dialect(const struct script *script)
{
    return script->has_dialect ? &script->dialect : NULL;
}

bool script_has_faults(const struct script *script)
{
    return luafaults_any(script->faults);
}

struct fault_source script_faults(struct script *script)
{
    return luafaults_source(script->faults);
}

const char *script_error(const struct script *script)
{
    return luafaults_error(script->faults);
}

enum err script_describe(const struct script *script, size_t n, struct err_text *text)
{
    return luafaults_describe(script->faults, n, text);
}

enum err script_unstruck(const struct script *script, size_t n, struct err_text *text)
{
    return luafaults_unstruck(script->faults, n, text);
}

struct luahost *script_host(struct script *script)
{
    return script->host;
}

void script_push_run(const struct script *script, lua_State *lua)
{
    if (script->run == LUA_NOREF)
        lua_pushnil(lua);
    else
        lua_rawgeti(lua, LUA_REGISTRYINDEX, script->run);
}
