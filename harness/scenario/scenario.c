#include "scenario.h"

#include "duration.h"
#include "luafields.h"
#include "luahost.h"
#include "mem.h"
#include "nearest.h"
#include "script.h"
#include "vocabulary.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>
#include <string.h>

/* What `run(world)` talks to while it goes on. */
struct stage {
    const struct world_ops *ops;
    void *world;
    const struct scenario_order *orders;
    size_t order_count;
};

struct scenario {
    struct script *script;
    struct record *record;
    struct stage *stage; /* NULL while run does not go on */
    bool busy;           /* the world is at work for run, and may be asking the script's faults */
};

enum err scenario_load(const char *file, uint64_t seed, struct scenario **scenario,
                       struct err_text *why)
{
    struct record *record = record_new(0);
    struct script_options options = {.seed = seed, .knows_clients = true, .record = record};
    struct script *script;
    *scenario = NULL;
    enum err err = script_load(file, &options, &script, why);
    if (err != ERR_OK) {
        record_free(record);
        return err;
    }
    *scenario = mem_alloc(sizeof **scenario);
    (*scenario)->script = script;
    (*scenario)->record = record;
    return ERR_OK;
}

void scenario_free(struct scenario *scenario)
{
    if (scenario == NULL)
        return;
    script_free(scenario->script);
    record_free(scenario->record);
    free(scenario);
}

const char *scenario_file(const struct scenario *scenario)
{
    return script_file(scenario->script);
}

const char *scenario_title(const struct scenario *scenario)
{
    const char *title = script_title(scenario->script);
    return title != NULL ? title : scenario_file(scenario);
}

const struct dialect *scenario_dialect(const struct scenario *scenario)
{
    return script_dialect(scenario->script);
}

bool scenario_effects(const struct scenario *scenario)
{
    return script_effects(scenario->script);
}

int scenario_orders(const struct scenario *scenario)
{
    return script_orders(scenario->script);
}

enum whose_clock scenario_clock(const struct scenario *scenario)
{
    return script_clock(scenario->script);
}

const struct queue_policy *scenario_queue(const struct scenario *scenario)
{
    return script_queue(scenario->script);
}

void scenario_tell(struct scenario *scenario, const struct event *event)
{
    record_add(scenario->record, event);
}

void scenario_set_clock(struct scenario *scenario, struct clock_source clock)
{
    record_set_clock(scenario->record, clock);
}

struct fault_source scenario_faults(struct scenario *scenario)
{
    return script_faults(scenario->script);
}

enum err scenario_unstruck(const struct scenario *scenario, size_t n, struct err_text *text)
{
    return script_unstruck(scenario->script, n, text);
}

const char *scenario_error(const struct scenario *scenario)
{
    return script_error(scenario->script);
}

/* --- the world, as the script sees it -------------------------------------------------------- */

/* The scenario of a method of world, and a check that it may be called now. */
static struct scenario *begin_op(lua_State *lua)
{
    struct scenario *scenario = lua_touserdata(lua, lua_upvalueindex(1));
    if (!lua_istable(lua, 1))
        luaL_error(lua, "write world:%s(…), with a colon", lua_tostring(lua, lua_upvalueindex(2)));
    if (scenario->stage == NULL || scenario->busy)
        luaL_error(lua, "the world is at hand only inside run(world), not in faults or later");
    scenario->busy = true;
    luahost_leave(script_host(scenario->script));
    return scenario;
}

/* Returns the world again, so that calls can be chained. An error of the world is not the script's
 * to handle. */
static int end_op(lua_State *lua, struct scenario *scenario, enum err err,
                  const struct err_text *why)
{
    luahost_enter(script_host(scenario->script));
    scenario->busy = false;
    if (err != ERR_OK)
        luahost_stop(lua, err, why->text);
    lua_settop(lua, 1);
    return 1;
}

/* The order meant by the argument: an id, or one of world.orders. NULL for none. */
static const char *order_argument(lua_State *lua, const struct scenario *scenario)
{
    if (lua_isnoneornil(lua, 2) || scenario->stage == NULL)
        return NULL;
    if (lua_istable(lua, 2)) {
        lua_getfield(lua, 2, "id");
        lua_replace(lua, 2);
    }
    const char *id = lua_tostring(lua, 2);
    for (size_t i = 0; id != NULL && i < scenario->stage->order_count; i++)
        if (strcmp(scenario->stage->orders[i].id, id) == 0)
            return scenario->stage->orders[i].id;
    luaL_error(lua, "world:start(order) takes one of world.orders, or nothing for all of them");
    return NULL;
}

static int world_start(lua_State *lua)
{
    struct err_text why = {0};
    const char *order = order_argument(lua, lua_touserdata(lua, lua_upvalueindex(1)));
    struct scenario *scenario = begin_op(lua);
    enum err err = scenario->stage->ops->start(scenario->stage->world, order, &why);
    return end_op(lua, scenario, err, &why);
}

static int world_wait(lua_State *lua)
{
    struct err_text why = {0};
    struct scenario *scenario = begin_op(lua);
    enum err err = scenario->stage->ops->wait(scenario->stage->world, &why);
    return end_op(lua, scenario, err, &why);
}

static int world_work(lua_State *lua)
{
    struct err_text why = {0};
    struct scenario *scenario = begin_op(lua);
    enum err err = scenario->stage->ops->work(scenario->stage->world, &why);
    return end_op(lua, scenario, err, &why);
}

static int world_settle(lua_State *lua)
{
    struct err_text why = {0};
    struct scenario *scenario = begin_op(lua);
    enum err err = scenario->stage->ops->settle(scenario->stage->world, &why);
    return end_op(lua, scenario, err, &why);
}

static int world_advance(lua_State *lua)
{
    struct err_text why = {0};
    int64_t ms = 0;
    if (lua_type(lua, 2) != LUA_TSTRING)
        return luaL_error(lua, "world:advance takes a duration: world:advance(\"25h\")");
    if (duration_parse(lua_tostring(lua, 2), &ms, &why) != ERR_OK)
        return luaL_error(lua, "world:advance: %s", why.text);
    struct scenario *scenario = begin_op(lua);
    enum err err = scenario->stage->ops->advance(scenario->stage->world, ms, &why);
    return end_op(lua, scenario, err, &why);
}

static void push_orders(lua_State *lua, const struct stage *stage)
{
    static const char *const names[] = {
#define FIELD_NAME(name, type, what) #name,
        ORDER_FIELD_LIST(FIELD_NAME)
#undef FIELD_NAME
            NULL};
    lua_newtable(lua);
    for (size_t i = 0; i < stage->order_count; i++) {
        lua_newtable(lua);
        lua_pushstring(lua, stage->orders[i].id);
        lua_setfield(lua, -2, "id");
        lua_pushinteger(lua, stage->orders[i].amount);
        lua_setfield(lua, -2, "amount");
        lua_pushstring(lua, stage->orders[i].currency);
        lua_setfield(lua, -2, "currency");
        luafields_only(lua, "an order", names);
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
}

static void push_world(lua_State *lua, struct scenario *scenario)
{
    static const char *const members[] = {
#define METHOD_NAME(name, type, does) #name,
        WORLD_METHOD_LIST(METHOD_NAME)
#undef METHOD_NAME
            "orders",
        NULL};
    static const struct {
        const char *name;
        lua_CFunction method;
    } methods[] = {
#define WORLD_METHOD(name, type, does) {#name, world_##name},
        WORLD_METHOD_LIST(WORLD_METHOD)
#undef WORLD_METHOD
    };
    lua_newtable(lua);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        lua_pushlightuserdata(lua, scenario);
        lua_pushstring(lua, methods[i].name);
        lua_pushcclosure(lua, methods[i].method, 2);
        lua_setfield(lua, -2, methods[i].name);
    }
    push_orders(lua, scenario->stage);
    lua_setfield(lua, -2, "orders");
    luafields_only(lua, "a world", members);
}

static int play(lua_State *lua)
{
    struct scenario *scenario = luahost_context(lua);
    script_push_run(scenario->script, lua);
    if (lua_isnil(lua, -1)) {
        struct err_text why = {0};
        luahost_leave(script_host(scenario->script));
        enum err err = scenario->stage->ops->settle(scenario->stage->world, &why);
        luahost_enter(script_host(scenario->script));
        if (err != ERR_OK)
            luahost_stop(lua, err, why.text);
        return 0;
    }
    push_world(lua, scenario);
    lua_call(lua, 1, 0);
    return 0;
}

enum err scenario_run(struct scenario *scenario, const struct world_ops *ops, void *world,
                      const struct scenario_order *orders, size_t order_count, struct err_text *why)
{
    struct stage stage = {ops, world, orders, order_count};
    scenario->stage = &stage;
    enum err err = luahost_run(script_host(scenario->script), play, scenario, why);
    scenario->stage = NULL;
    scenario->busy = false;
    return err;
}
