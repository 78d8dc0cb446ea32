#include "client_task.h"

#include "check.h"
#include "client_internal.h"
#include "duration.h"
#include "json.h"
#include "luahost.h"
#include "luajson.h"
#include "mem.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>
#include <string.h>

struct client_task {
    struct client_file *client;
    enum client_function function;
    const struct client_scene *scene;
    client_task_over *told;
    void *context;
    struct loop_timer *begin;
    lua_State *thread; /* NULL before it has begun */
    int thread_ref;
    struct task_wait wait; /* .what NULL: it waits for nothing */
    bool waits;            /* the last step ended in a wait */
    struct client_answer answer;
    struct json *effects; /* of the answer */
};

const char *client_function_name(enum client_function function)
{
#define CLIENT_FUNCTION_NAME(constant, name) name,
    static const char *const names[] = {CLIENT_FUNCTION_LIST(CLIENT_FUNCTION_NAME)};
#undef CLIENT_FUNCTION_NAME
    CHECK((unsigned)function < CLIENT_FUNCTION_COUNT);
    return names[function];
}

/* --- one step -------------------------------------------------------------------------------- */

struct step {
    struct client_task *task;
    int (*push)(lua_State *lua, const void *values);
    const void *values;
};

/* `return "succeeded", "pi_…"`. Errors are raised in LUA: THREAD has ended. */
static void read_claim(lua_State *lua, lua_State *thread, struct client_answer *answer)
{
    bool text = lua_type(thread, 1) == LUA_TSTRING;
    if (!text || !outcome_parse(lua_tostring(thread, 1), &answer->outcome))
        luaL_error(lua, "claim returns \"succeeded\", \"failed\" or \"unknown\", not %s%s%s",
                   text ? "\"" : "", text ? lua_tostring(thread, 1) : luaL_typename(thread, 1),
                   text ? "\"" : "");
    if (!lua_isnoneornil(thread, 2) && lua_type(thread, 2) != LUA_TSTRING)
        luaL_error(lua, "claim returns the payment's id as text, not a %s",
                   luaL_typename(thread, 2));
    answer->payment = lua_tostring(thread, 2);
}

static bool is_count(const struct json *value)
{
    int64_t number;
    return json_as_int(value, &number) && number >= 0;
}

/* `return { shipped = 1, mailed = 0 }`, or nothing. */
static void read_effects(lua_State *lua, struct client_task *task)
{
    struct err_text why;
    if (lua_isnoneornil(task->thread, 1))
        return;
    if (luajson_read(task->thread, 1, &task->effects, &why) != ERR_OK ||
        !json_is_object(task->effects))
        luaL_error(lua, "effects returns a table: return { shipped = 1 }");
    for (const struct json *one = json_first(task->effects); one != NULL; one = json_next(one))
        if (!is_count(one))
            luaL_error(lua, "effects returns how often each was done, a whole number: %s is none",
                       json_name(one));
    task->answer.effects = task->effects;
}

static int take_step(lua_State *lua)
{
    const struct step *step = luahost_context(lua);
    struct client_task *task = step->task;
    int count = step->push(task->thread, step->values);
    task->waits = luahost_resume(lua, task->thread, count);
    if (task->waits)
        return 0;
    task->answer.accepted =
        lua_isnone(task->thread, 1) || lua_isnil(task->thread, 1) || lua_toboolean(task->thread, 1);
    if (task->function == CLIENT_CLAIM)
        read_claim(lua, task->thread, &task->answer);
    if (task->function == CLIENT_EFFECTS)
        read_effects(lua, task);
    return 0;
}

/* Ends in a wait, or tells. */
static void go_on(struct client_task *task, luahost_body *body,
                  int (*push)(lua_State *lua, const void *values), const void *values)
{
    struct step step = {task, push, values};
    struct client_file *client = task->client;
    struct client_task *outer = client->running;
    client->running = task;
    task->answer.err = luahost_run(client->host, body, &step, &task->answer.why);
    client->running = outer;
    if (task->answer.err != ERR_OK || !task->waits)
        task->told(task->context, &task->answer);
}

void task_wake(struct client_task *task, int (*push)(lua_State *lua, const void *values),
               const void *values)
{
    task->wait = (struct task_wait){0};
    go_on(task, take_step, push, values);
}

/* --- its beginning and end ------------------------------------------------------------------- */

static void set_text(lua_State *lua, const char *name, const char *text)
{
    lua_pushstring(lua, text);
    lua_setfield(lua, -2, name);
}

/* What the function is called with. */
static int push_order(lua_State *lua, const void *values)
{
    const struct client_values *given = values;
    lua_createtable(lua, 0, 4);
    set_text(lua, "id", given->order);
    set_text(lua, "currency", given->currency);
    set_text(lua, "state", given->state);
    lua_pushinteger(lua, strtoll(given->amount, NULL, 10));
    lua_setfield(lua, -2, "amount");
    return 1;
}

static int begin(lua_State *lua)
{
    const struct step *step = luahost_context(lua);
    struct client_task *task = step->task;
    task->thread = lua_newthread(lua);
    task->thread_ref = luaL_ref(lua, LUA_REGISTRYINDEX);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, task->client->functions[task->function]);
    lua_xmove(lua, task->thread, 1);
    return take_step(lua);
}

static void begin_due(void *context)
{
    struct client_task *task = context;
    task->begin = NULL;
    go_on(task, begin, push_order, &task->scene->values);
}

struct client_task *client_task_start(struct client_file *client, enum client_function function,
                                      const struct client_scene *scene, client_task_over *told,
                                      void *context)
{
    CHECK(client->host != NULL && client->functions[function] != LUA_NOREF);
    struct client_task *task = mem_alloc(sizeof *task);
    *task = (struct client_task){.client = client,
                                 .function = function,
                                 .scene = scene,
                                 .told = told,
                                 .context = context,
                                 .thread_ref = LUA_NOREF};
    task->begin = loop_after(scene->loop, 0, begin_due, task);
    return task;
}

static int forget_thread(lua_State *lua)
{
    const struct client_task *task = luahost_context(lua);
    luaL_unref(lua, LUA_REGISTRYINDEX, task->thread_ref);
    return 0;
}

void client_task_free(struct client_task *task)
{
    if (task == NULL)
        return;
    loop_timer_stop(task->begin);
    if (task->wait.what != NULL)
        task->wait.cancel(task->wait.what);
    enum err err = luahost_run(task->client->host, forget_thread, task, NULL);
    CHECK(err == ERR_OK);
    json_free(task->effects);
    free(task);
}

/* --- for the words --------------------------------------------------------------------------- */

static struct client_file *client_of(lua_State *lua)
{
    lua_getfield(lua, LUA_REGISTRYINDEX, "client_file");
    struct client_file *client = lua_touserdata(lua, -1);
    lua_pop(lua, 1);
    return client;
}

struct client_task *task_of(lua_State *lua)
{
    struct client_task *task = client_of(lua)->running;
    if (task == NULL || task->thread != lua)
        luaL_error(
            lua,
            "http, sh and sqlite work inside submit(order), claim(order) and effects(order) only");
    return task;
}

const struct client_scene *task_scene(const struct client_task *task)
{
    return task->scene;
}

void task_waits(struct client_task *task, struct task_wait wait)
{
    task->wait = wait;
}

int64_t task_duration(lua_State *lua, int index, const char *name, int64_t standard)
{
    struct err_text why;
    int64_t ms = standard;
    if (lua_isnoneornil(lua, index))
        return standard;
    if (lua_type(lua, index) != LUA_TSTRING)
        luaL_error(lua, "%s is a duration: \"5s\"", name);
    if (duration_parse(lua_tostring(lua, index), &ms, &why) != ERR_OK)
        luaL_error(lua, "%s: %s", name, why.text);
    if (ms == 0)
        luaL_error(lua, "%s has to be longer than that", name);
    return ms;
}
