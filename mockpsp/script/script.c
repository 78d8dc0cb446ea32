#include "script.h"

#include "luafaults.h"
#include "luahistory.h"
#include "luahost.h"
#include "luajson.h"
#include "luamodules.h"
#include "mem.h"
#include "nearest.h"
#include "scriptfile.h"
#include "vocabulary.h"
#include "words.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>
#include <string.h>

struct script {
    struct luahost *host;
    struct luamodules *modules;
    struct luafaults *faults;
    char *title; /* or NULL */
    int orders;  /* 0: not said */
    bool effects;
    int run; /* reference, or LUA_NOREF */
    struct queue_policy queue;
    enum whose_clock clock;
    bool has_dialect;
    struct dialect dialect;
};

/* --- what it returned ------------------------------------------------------------------------ */

#define FIELD_NAME(name, type, what) #name,
static const char *const FIELDS[] = {SCENARIO_FIELD_LIST(FIELD_NAME) NULL};
#undef FIELD_NAME

static void check_fields(lua_State *lua, int line)
{
    lua_pushnil(lua);
    while (lua_next(lua, -2) != 0) {
        lua_pop(lua, 1);
        bool known = false;
        const char *name = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "1";
        for (size_t i = 0; FIELDS[i] != NULL; i++)
            known = known || strcmp(FIELDS[i], name) == 0;
        if (!known && strcmp(name, "line") != 0)
            luahost_fail(lua, line,
                         lua_pushfstring(lua,
                                         "a scenario has no field '%s'%s: it has title, orders, "
                                         "faults, dialect, effects, queue, clock, run",
                                         name, nearest_hint(name, FIELDS).text));
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

static void read_clock(struct script *script, lua_State *lua, int line)
{
    int type = lua_getfield(lua, -1, "clock");
    const char *word = type == LUA_TSTRING ? lua_tostring(lua, -1) : "";
    if (strcmp(word, "both") == 0)
        script->clock = CLOCK_OF_BOTH;
    else if (strcmp(word, "provider") == 0)
        script->clock = CLOCK_OF_PROVIDER;
    else if (type != LUA_TNIL)
        luahost_fail(lua, line, "clock is \"both\" or \"provider\"");
    lua_pop(lua, 1);
}

static void read_queue(struct script *script, lua_State *lua, int line)
{
    struct json *json = NULL;
    struct err_text why;
    if (lua_getfield(lua, -1, "queue") != LUA_TNIL) {
        enum err err = luajson_read(lua, -1, &json, &why);
        if (err == ERR_OK)
            err = queue_policy_from_json(json, &script->queue, &why);
        json_free(json);
        if (err != ERR_OK)
            luahost_fail(lua, line, why.text);
    }
    lua_pop(lua, 1);
}

static void read_effects(struct script *script, lua_State *lua, int line)
{
    int type = lua_getfield(lua, -1, "effects");
    if (type != LUA_TNIL && type != LUA_TBOOLEAN)
        luahost_fail(lua, line, "effects is true or false");
    script->effects = lua_toboolean(lua, -1);
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
    read_effects(script, lua, line);
    read_queue(script, lua, line);
    read_clock(script, lua, line);
    read_run(script, lua, line);
    lua_getfield(lua, -1, "faults");
    luafaults_read(script->faults, lua, -1, line);
    lua_pop(lua, 2);
}

/* --- loading --------------------------------------------------------------------------------- */

struct loading {
    struct script *script;
    const struct record *record;
    const struct buf *text;
};

static int load(lua_State *lua)
{
    struct loading *loading = luahost_context(lua);
    words_define(lua);
    luahistory_open(loading->record, lua);
    luamodules_open(loading->script->modules, lua);
    luahost_push_code(lua, buf_string(loading->text), loading->text->len,
                      luahost_chunk(luahost_of(lua)));
    luamodules_own_globals(lua);
    lua_call(lua, 0, 1);
    read_scenario(loading->script, lua);
    return 0;
}

static int64_t time_of(void *record)
{
    return record_now_ms(record);
}

/* Time counts as it does for the word `now`. */
static struct draws draws_for(const struct script_options *options)
{
    struct clock_source clock = {time_of, (void *)(uintptr_t)options->record};
    return (struct draws){.seed = options->seed, .clock = clock};
}

enum err script_load(const char *file, const struct script_options *options, struct script **script,
                     struct err_text *why)
{
    struct buf text = {0};
    *script = NULL;
    enum err err = scriptfile_read(file, file, &text, why);
    if (err == ERR_OK) {
        struct script *made = mem_alloc(sizeof *made);
        made->host = luahost_new(file, options->seed);
        made->modules = luamodules_new(made->host);
        made->faults = luafaults_new(made->host, options->knows_clients, draws_for(options));
        made->run = LUA_NOREF;
        struct loading loading = {made, options->record, &text};
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
    luamodules_free(script->modules);
    free(script->title);
    free(script);
}

const char *script_file(const struct script *script)
{
    return luahost_file(script->host);
}

const char *script_part(const struct script *script, size_t n)
{
    return luahost_other_file(script->host, n);
}

const char *script_title(const struct script *script)
{
    return script->title;
}

int script_orders(const struct script *script)
{
    return script->orders;
}

bool script_effects(const struct script *script)
{
    return script->effects;
}

enum whose_clock script_clock(const struct script *script)
{
    return script->clock;
}

const struct queue_policy *script_queue(const struct script *script)
{
    return &script->queue;
}

const struct dialect *script_dialect(const struct script *script)
{
    return script->has_dialect ? &script->dialect : NULL;
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
