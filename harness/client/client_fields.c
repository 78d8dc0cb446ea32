#include "client_fields.h"

#include "claim_query.h"
#include "client.h"
#include "client_vocabulary.h"
#include "duration.h"
#include "env_file.h"
#include "err.h"
#include "luahost.h"
#include "luajson.h"
#include "mem.h"
#include "nearest.h"
#include "outcome.h"

#include <lauxlib.h>
#include <limits.h>
#include <lua.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_WORDS   1000 /* of a command */
#define MOST_WORKERS 20
#define READY_MS     10000
#define PATIENCE_MS  2000

#define FIELD_NAME(name, type, what) #name,
static const char *const FIELDS[] = {CLIENT_FIELD_LIST(FIELD_NAME) NULL};
static const char *const READY_FIELDS[] = {READY_FIELD_LIST(FIELD_NAME) NULL};
static const char *const CLAIM_FIELDS[] = {CLAIM_FIELD_LIST(FIELD_NAME) NULL};
#undef FIELD_NAME

/* Where `client { … }` stands. */
static int place(lua_State *lua)
{
    lua_getfield(lua, 1, "line");
    int line = (int)lua_tointeger(lua, -1);
    lua_pop(lua, 1);
    return line;
}

/* FORMAT is one of lua_pushfstring. */
static _Noreturn void fail(lua_State *lua, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    const char *text = lua_pushvfstring(lua, format, args);
    va_end(args);
    luahost_fail(lua, place(lua), text);
}

static bool is_known(const char *name, const char *const *names)
{
    while (*names != NULL && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Of the table at INDEX, which is called WHAT. */
static void check_names(lua_State *lua, int index, const char *const *names, const char *what)
{
    lua_pushnil(lua);
    while (lua_next(lua, index) != 0) {
        lua_pop(lua, 1);
        const char *name = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "1";
        if (!is_known(name, names) && strcmp(name, "line") != 0)
            fail(lua, "%s has no field '%s'%s (see psp-harness list)", what, name,
                 nearest_hint(name, names).text);
    }
}

/* --- values ---------------------------------------------------------------------------------- */

/* Text without a zero byte, which no command line and no path can carry. */
static const char *text_at(lua_State *lua, int index)
{
    size_t length = 0;
    const char *text = NULL;
    if (lua_type(lua, index) == LUA_TSTRING || lua_type(lua, index) == LUA_TNUMBER)
        text = lua_tolstring(lua, index, &length);
    return text != NULL && strlen(text) == length ? text : NULL;
}

/* The list of text at INDEX, called NAME in errors; appended to LIST, which ends with NULL. */
static void read_words(lua_State *lua, const char *name, int index, char ***list)
{
    lua_pushvalue(lua, index);
    if (!lua_istable(lua, -1) || lua_rawlen(lua, -1) == 0 || lua_rawlen(lua, -1) > MOST_WORDS)
        fail(lua, "%s is a list of text: %s = { \"./pay\", \"{order}\" }", name, name);
    for (lua_Unsigned i = 1; i <= lua_rawlen(lua, -1); i++) {
        lua_rawgeti(lua, -1, (lua_Integer)i);
        const char *word = text_at(lua, -1);
        if (word == NULL || (i == 1 && *word == '\0'))
            fail(lua, "%s: word %d is %s", name, (int)i,
                 word == NULL ? "no text" : "empty, and names no program");
        client_list_add(list, mem_strdup(word));
        lua_pop(lua, 1);
    }
}

static bool read_command(lua_State *lua, const char *name, char ***list)
{
    bool there = lua_getfield(lua, 1, name) != LUA_TNIL;
    if (there)
        read_words(lua, name, -1, list);
    lua_settop(lua, 1);
    return there;
}

static int read_integer(lua_State *lua, const char *name, int standard, int most)
{
    int type = lua_getfield(lua, 1, name);
    lua_Integer number = type == LUA_TNIL ? standard : lua_tointeger(lua, -1);
    if ((type != LUA_TNIL && !lua_isinteger(lua, -1)) || number < 1 || number > most)
        fail(lua, "%s is a whole number from 1 to %d", name, most);
    lua_pop(lua, 1);
    return (int)number;
}

/* The duration on top of the stack, which it pops, called NAME in errors. */
static int64_t read_duration(lua_State *lua, const char *name, int64_t standard)
{
    struct err_text why;
    int64_t ms = standard;
    if (!lua_isnil(lua, -1)) {
        const char *text = lua_type(lua, -1) == LUA_TSTRING ? text_at(lua, -1) : NULL;
        if (text == NULL)
            fail(lua, "%s is a duration: \"5s\"", name);
        if (duration_parse(text, &ms, &why) != ERR_OK)
            fail(lua, "%s: %s", name, why.text);
    }
    lua_pop(lua, 1);
    return ms;
}

/* The table on top of the stack. */
static void read_ready(lua_State *lua, struct client_plan *plan)
{
    static const char *const kinds[] = {
        [READY_PORT] = "port", [READY_URL] = "url", [READY_LINE] = "line"};
    if (!lua_istable(lua, -1))
        fail(lua, "ready is a table: ready = { url = \"http://127.0.0.1:{app_port}/health\" }");
    check_names(lua, lua_gettop(lua), READY_FIELDS, "ready");
    int found = 0;
    for (int i = 0; i < (int)(sizeof kinds / sizeof kinds[0]); i++) {
        lua_getfield(lua, -1, kinds[i]);
        const char *what = text_at(lua, -1);
        if (what != NULL && *what != '\0' && found++ == 0) {
            plan->ready = (enum client_ready)i;
            plan->ready_what = mem_strdup(what);
        }
        lua_pop(lua, 1);
    }
    if (found != 1)
        fail(lua, "ready has one of url, port and line, which is text");
    lua_getfield(lua, -1, "timeout");
    plan->ready_ms = read_duration(lua, "ready.timeout", READY_MS);
}

/* --- files beside it ------------------------------------------------------------------------- */

/* The absolute path of what the field NAME calls, or NULL. The caller frees it. */
static char *read_path(lua_State *lua, const char *name)
{
    if (lua_getfield(lua, 1, name) == LUA_TNIL) {
        lua_pop(lua, 1);
        return NULL;
    }
    const char *path = text_at(lua, -1);
    if (path == NULL || *path == '\0')
        fail(lua, "%s is a path, relative to the client file", name);
    const char *file = luahost_file(luahost_of(lua));
    const char *slash = strrchr(file, '/');
    char *full = *path == '/' || slash == NULL
                     ? mem_strdup(path)
                     : mem_printf("%.*s/%s", (int)(slash - file), file, path);
    char resolved[PATH_MAX];
    bool there = realpath(full, resolved) != NULL;
    lua_pushstring(lua, full);
    free(full);
    if (!there)
        fail(lua, "%s: there is no %s", name, lua_tostring(lua, -1));
    lua_pop(lua, 2);
    return mem_strdup(resolved);
}

static void read_directory(lua_State *lua, struct client_plan *plan)
{
    struct stat status;
    plan->directory = read_path(lua, "directory");
    if (plan->directory != NULL &&
        (stat(plan->directory, &status) != 0 || !S_ISDIR(status.st_mode)))
        fail(lua, "directory: %s is no directory", plan->directory);
}

static void read_environment_file(lua_State *lua, struct client_plan *plan)
{
    struct err_text why;
    char *file = read_path(lua, "environment_file");
    enum err err = file == NULL ? ERR_OK : env_file_read(file, &plan->environment, &why);
    free(file);
    if (err != ERR_OK)
        fail(lua, "environment_file: %s", why.text);
}

/* Those of the table count for more than those of the file: they come later. */
static void read_environment(lua_State *lua, struct client_plan *plan)
{
    int type = lua_getfield(lua, 1, "environment");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        fail(lua, "environment is a table: environment = { PORT = \"{app_port}\" }");
    lua_pushnil(lua);
    while (type == LUA_TTABLE && lua_next(lua, -2) != 0) {
        const char *name = lua_type(lua, -2) == LUA_TSTRING ? text_at(lua, -2) : NULL;
        const char *value = text_at(lua, -1);
        if (name == NULL || *name == '\0' || strchr(name, '=') != NULL || value == NULL)
            fail(lua, "environment: names and values are text: { PORT = \"{app_port}\" }");
        client_list_add(&plan->environment, mem_printf("%s=%s", name, value));
        lua_pop(lua, 1);
    }
    lua_settop(lua, 1);
}

/* --- the whole of it ------------------------------------------------------------------------- */

static bool read_function(lua_State *lua, const char *name)
{
    int type = lua_getfield(lua, 1, name);
    if (type != LUA_TNIL && type != LUA_TFUNCTION)
        fail(lua, "%s is a function: %s = function(order) … end", name, name);
    lua_pop(lua, 1);
    return type == LUA_TFUNCTION;
}

static void check_words(lua_State *lua)
{
    enum outcome outcome;
    int type = lua_getfield(lua, 2, "words");
    if (type != LUA_TNIL && type != LUA_TTABLE)
        fail(lua, "claim.words is a table: words = { paid = \"succeeded\" }");
    lua_pushnil(lua);
    while (type == LUA_TTABLE && lua_next(lua, -2) != 0) {
        const char *name = lua_type(lua, -1) == LUA_TSTRING ? text_at(lua, -1) : NULL;
        if (lua_type(lua, -2) != LUA_TSTRING || name == NULL || !outcome_parse(name, &outcome))
            fail(lua, "claim.words: each is \"succeeded\", \"failed\" or \"unknown\": words = { "
                      "paid = \"succeeded\" }");
        lua_pop(lua, 1);
    }
    lua_settop(lua, 2);
}

static bool has_text(lua_State *lua, const char *name)
{
    bool there = lua_getfield(lua, 2, name) != LUA_TNIL;
    const char *text = lua_type(lua, -1) == LUA_TSTRING ? text_at(lua, -1) : NULL;
    if (there && (text == NULL || *text == '\0'))
        fail(lua, "claim.%s is text", name);
    lua_pop(lua, 1);
    return there;
}

/* A function; or a query, in whose place the function that asks it is put. */
static bool read_claim(lua_State *lua)
{
    if (lua_getfield(lua, 1, "claim") != LUA_TTABLE) {
        lua_settop(lua, 1);
        return read_function(lua, "claim");
    }
    check_names(lua, 2, CLAIM_FIELDS, "claim");
    bool sqlite = has_text(lua, "sqlite"), command = has_text(lua, "command");
    if (!has_text(lua, "query") || sqlite + command != 1)
        fail(lua,
             "claim has a query, and sqlite = \"FILE\" or command = \"psql …\" that answers it");
    check_words(lua);
    luahost_push_code(lua, CLAIM_QUERY, strlen(CLAIM_QUERY), "claim");
    lua_call(lua, 0, 1);
    lua_insert(lua, 2);
    lua_call(lua, 1, 1);
    lua_setfield(lua, 1, "claim");
    return true;
}

static void read_queue(lua_State *lua, struct client_plan *plan)
{
    struct json *json = NULL;
    struct err_text why;
    if (lua_getfield(lua, 1, "queue") != LUA_TNIL) {
        enum err err = luajson_read(lua, -1, &json, &why);
        if (err == ERR_OK)
            err = queue_policy_from_json(json, &plan->queue, &why);
        json_free(json);
        if (err != ERR_OK)
            fail(lua, "%s", why.text);
    }
    lua_settop(lua, 1);
}

static void need(lua_State *lua, bool there, const char *sentence)
{
    if (!there)
        fail(lua, "%s", sentence);
}

static void read_service(lua_State *lua, struct client_plan *plan)
{
    need(lua, plan->submits, "a service needs submit = function(order) … end, which gives it one");
    need(lua, plan->claims,
         "a service needs claim = function(order) … end, which says what became of one");
    plan->ready_ms = READY_MS;
    if (lua_getfield(lua, 1, "ready") == LUA_TNIL)
        plan->ready_what = mem_strdup("{app_port}");
    else
        read_ready(lua, plan);
    lua_settop(lua, 1);
}

static void read_workers(lua_State *lua, struct client_plan *plan)
{
    int type = lua_getfield(lua, 1, "workers");
    lua_Unsigned count = type == LUA_TTABLE ? lua_rawlen(lua, -1) : 0;
    if (type != LUA_TNIL && (count == 0 || count > MOST_WORKERS))
        fail(lua, "workers is a list of 1 to %d commands: workers = { { \"./worker\" } }",
             MOST_WORKERS);
    if (count > 0)
        plan->workers = mem_alloc((count + 1) * sizeof *plan->workers);
    for (lua_Unsigned i = 0; i < count; i++) {
        lua_rawgeti(lua, -1, (lua_Integer)i + 1);
        read_words(lua, lua_pushfstring(lua, "workers[%d]", (int)i + 1), -2, &plan->workers[i]);
        lua_settop(lua, 2);
    }
    lua_settop(lua, 1);
}

static void read_shape(lua_State *lua, struct client_plan *plan)
{
    bool command = read_command(lua, "command", &plan->command);
    bool batch = read_command(lua, "batch", &plan->command);
    bool service = read_command(lua, "service", &plan->command);
    need(lua, command || batch || service,
         "a client is made of something: command = { … }, batch = { … } or service = { … }");
    need(lua, command + batch + service == 1,
         "a client is a command, a batch or a service, one of them");
    plan->shape = service ? CLIENT_SERVICE : batch ? CLIENT_BATCH : CLIENT_COMMAND;
    read_workers(lua, plan);
    read_command(lua, "prepare", &plan->prepare);
    plan->submits = read_function(lua, "submit");
    plan->claims = read_claim(lua);
    plan->counts = read_function(lua, "effects");
    if (service)
        read_service(lua, plan);
    need(lua, service || !plan->submits, "submit(order) is for a service: a command is run");
    need(lua, service || plan->claims || plan->workers == NULL,
         "who has workers needs claim = function(order) … end, which says what became of one");
    lua_getfield(lua, 1, "ready");
    need(lua, service || lua_isnil(lua, -1), "ready is for a service");
    lua_pop(lua, 1);
}

void client_fields_read(lua_State *lua, struct client_plan *plan)
{
    lua_replace(lua, 1);
    lua_settop(lua, 1);
    if (!lua_istable(lua, 1) || lua_getfield(lua, 1, "line") != LUA_TNUMBER)
        luahost_fail(lua, 0, "a client file ends with: return client { command = { … } }");
    lua_settop(lua, 1);
    check_names(lua, 1, FIELDS, "a client");
    plan->environment = mem_alloc(sizeof *plan->environment);
    read_directory(lua, plan);
    read_environment_file(lua, plan);
    read_environment(lua, plan);
    read_shape(lua, plan);
    read_queue(lua, plan);
    lua_getfield(lua, 1, "patience");
    plan->patience_ms = read_duration(lua, "patience", PATIENCE_MS);
    plan->processes = read_integer(lua, "processes", 1, CLIENT_MOST_PROCESSES);
    need(lua, plan->shape != CLIENT_BATCH || plan->processes == 1, "a batch is one process");
}

void client_plan_release(struct client_plan *plan)
{
    client_list_free(plan->command);
    for (char ***worker = plan->workers; worker != NULL && *worker != NULL; worker++)
        client_list_free(*worker);
    free(plan->workers);
    client_list_free(plan->prepare);
    client_list_free(plan->environment);
    free(plan->ready_what);
    free(plan->directory);
    *plan = (struct client_plan){0};
}
