#include "luafaults.h"

#include "buf.h"
#include "json.h"
#include "log.h"
#include "luajson.h"
#include "mem.h"
#include "schedule_source.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>
#include <string.h>

struct luafaults {
    struct luahost *host;
    bool kills_clients;
    struct schedule_source *rules; /* NULL when the faults are a function, or none */
    int *whens;                    /* one per rule: reference to its condition, or LUA_NOREF */
    int function;                  /* reference, or LUA_NOREF */
    bool function_struck;
    char *error; /* the first one, or NULL */
};

static const char ONLY_HARNESS[] =
    "crash_client: only psp-harness can kill a client (nothing here knows its process)";

struct luafaults *luafaults_new(struct luahost *host, bool kills_clients)
{
    struct luafaults *faults = mem_alloc(sizeof *faults);
    faults->host = host;
    faults->kills_clients = kills_clients;
    faults->function = LUA_NOREF;
    return faults;
}

void luafaults_free(struct luafaults *faults)
{
    if (faults == NULL)
        return;
    schedule_source_free(faults->rules);
    free(faults->whens);
    free(faults->error);
    free(faults);
}

/* --- reading
 * --------------------------------------------------------------------------------------- */

/* Takes `when` out of the rule on top of the stack, for it is no data; puts a copy of the rest
 * there instead. A reference to the condition. */
static int take_when(lua_State *lua, size_t number, int line)
{
    lua_newtable(lua);
    lua_pushnil(lua);
    while (lua_next(lua, -3) != 0) {
        lua_pushvalue(lua, -2);
        lua_insert(lua, -2);
        lua_rawset(lua, -4);
    }
    lua_remove(lua, -2);
    int type = lua_getfield(lua, -1, "when");
    if (type == LUA_TNIL) {
        lua_pop(lua, 1);
        return LUA_NOREF;
    }
    if (type != LUA_TFUNCTION)
        luahost_fail(lua, line,
                     lua_pushfstring(lua,
                                     "fault %d: when is a function: "
                                     "when = function(req) return … end",
                                     (int)number));
    int reference = luaL_ref(lua, LUA_REGISTRYINDEX);
    lua_pushnil(lua);
    lua_setfield(lua, -2, "when");
    return reference;
}

/* The line that the rule's action was written in, or LINE. */
static int line_of_rule(lua_State *lua, int line)
{
    int found = 0;
    if (lua_getfield(lua, -1, "act") == LUA_TTABLE) {
        lua_getfield(lua, -1, "line");
        found = (int)lua_tointeger(lua, -1);
        lua_pop(lua, 1);
    }
    lua_pop(lua, 1);
    return found > 0 ? found : line;
}

/* The list at INDEX without its conditions, which go into faults->whens; on top of the stack. */
static void split_list(struct luafaults *faults, lua_State *lua, int index, int line)
{
    size_t count = lua_rawlen(lua, index);
    if (count > SCHEDULE_MOST_RULES)
        luahost_fail(lua, line, "faults has too many entries: at most 1000");
    faults->whens = mem_alloc((count + 1) * sizeof *faults->whens);
    lua_newtable(lua);
    for (size_t i = 0; i < count; i++) {
        if (lua_rawgeti(lua, index, (lua_Integer)i + 1) != LUA_TTABLE)
            luahost_fail(lua, line,
                         lua_pushfstring(lua,
                                         "fault %d is no table: write { on = \"POST *\", "
                                         "attempt = 1, at = \"after_commit\", act = drop() }",
                                         (int)i + 1));
        faults->whens[i] = take_when(lua, i + 1, line_of_rule(lua, line));
        lua_rawseti(lua, -2, (lua_Integer)i + 1);
    }
}

/* A table with names instead of numbers would otherwise look like an empty list. */
static void check_list(lua_State *lua, int index, int line)
{
    lua_pushnil(lua);
    while (lua_next(lua, index) != 0) {
        lua_pop(lua, 1);
        if (!lua_isinteger(lua, -1) || lua_tointeger(lua, -1) < 1 ||
            (lua_Unsigned)lua_tointeger(lua, -1) > lua_rawlen(lua, index))
            luahost_fail(lua, line,
                         "faults is a list of tables: faults = { { on = …, at = …, "
                         "act = … }, … }, mind the double braces");
    }
}

static bool when_says(void *context, size_t rule, const struct attempt *attempt);

static void check_kills(const struct luafaults *faults, lua_State *lua,
                        const struct schedule *schedule)
{
    for (size_t i = 0; i < schedule->count; i++)
        if (schedule->rules[i].act.kind == ACTION_CRASH_CLIENT && !faults->kills_clients)
            luahost_fail(lua, schedule->rules[i].line, ONLY_HARNESS);
}

static void read_list(struct luafaults *faults, lua_State *lua, int index, int line)
{
    struct json *json;
    struct schedule schedule = {0};
    struct err_text why = {0};
    check_list(lua, index, line);
    split_list(faults, lua, index, line);
    enum err err = luajson_read(lua, -1, &json, &why);
    if (err == ERR_OK)
        err = schedule_from_json(json, &schedule, &why);
    json_free(json);
    if (err != ERR_OK)
        luahost_fail(lua, why.line > 0 ? why.line : line, why.text);
    faults->rules = schedule_source_new(schedule);
    schedule_source_set_when(faults->rules, when_says, faults);
    check_kills(faults, lua, schedule_source_schedule(faults->rules));
    lua_pop(lua, 1);
}

void luafaults_read(struct luafaults *faults, lua_State *lua, int index, int line)
{
    int type = lua_type(lua, index);
    if (type == LUA_TFUNCTION) {
        lua_pushvalue(lua, index);
        faults->function = luaL_ref(lua, LUA_REGISTRYINDEX);
    } else if (type == LUA_TTABLE) {
        read_list(faults, lua, lua_absindex(lua, index), line);
    } else if (type != LUA_TNIL) {
        luahost_fail(lua, line, "faults is a list of faults, or a function(req)");
    }
}

bool luafaults_any(const struct luafaults *faults)
{
    return faults->function != LUA_NOREF ||
           (faults->rules != NULL && schedule_source_schedule(faults->rules)->count > 0);
}

/* --- serving
 * --------------------------------------------------------------------------------------- */

static void set_string(lua_State *lua, const char *name, const char *value)
{
    lua_pushstring(lua, value); /* NULL becomes nil */
    lua_setfield(lua, -2, name);
}

static void set_integer(lua_State *lua, const char *name, uint64_t value)
{
    lua_pushinteger(lua, (lua_Integer)value);
    lua_setfield(lua, -2, name);
}

/* The request as a script sees it, new for every call: it may do with it what it likes. */
static void push_request(lua_State *lua, const struct attempt *attempt, enum failpoint at)
{
    lua_newtable(lua);
    set_integer(lua, "number", attempt->number);
    set_string(lua, "account", attempt->account);
    set_string(lua, "method", attempt->method);
    set_string(lua, "path", attempt->path);
    set_string(lua, "route", attempt->route);
    set_string(lua, "key", attempt->key);
    set_string(lua, "order", attempt->order);
    set_string(lua, "currency", attempt->currency);
    set_string(lua, "at", failpoint_name(at));
    if (attempt->amount >= 0)
        set_integer(lua, "amount", (uint64_t)attempt->amount);
    set_integer(lua, "connection", attempt->connection);
    set_integer(lua, "on_connection", attempt->on_connection);
    if (attempt->params == NULL)
        lua_newtable(lua);
    else
        luajson_push(lua, attempt->params);
    lua_setfield(lua, -2, "params");
}

static void fail_quietly(struct luafaults *faults, const struct err_text *why)
{
    if (faults->error != NULL)
        return; /* once: a broken script is asked again and again */
    faults->error = mem_strdup(why->text);
    log_error("%s", why->text);
}

struct condition {
    int reference;
    const struct attempt *attempt;
    bool holds;
};

static int ask_condition(lua_State *lua)
{
    struct condition *condition = luahost_context(lua);
    lua_rawgeti(lua, LUA_REGISTRYINDEX, condition->reference);
    push_request(lua, condition->attempt, FAILPOINT_RECEIVED);
    lua_call(lua, 1, 1);
    condition->holds = lua_toboolean(lua, -1);
    return 0;
}

static bool when_says(void *context, size_t rule, const struct attempt *attempt)
{
    struct luafaults *faults = context;
    struct condition condition = {.reference = faults->whens[rule], .attempt = attempt};
    struct err_text why;
    if (condition.reference == LUA_NOREF)
        return true;
    if (luahost_run(faults->host, ask_condition, &condition, &why) == ERR_OK)
        return condition.holds;
    fail_quietly(faults, &why);
    return false;
}

/* One question to the script's function. */
struct question {
    const struct luafaults *faults;
    const struct attempt *attempt;
    enum failpoint at;
    struct action action;
};

/* As a rule of its own, so that the same checks apply, and nothing is said twice. */
static enum err read_answer(struct question *question, struct json *act, struct fault_rule *rule,
                            struct err_text *why)
{
    struct json *json = json_object();
    json_set_string(json, "at", failpoint_name(question->at));
    json_set(json, "act", act);
    enum err err = fault_rule_from_json(json, rule, why);
    json_free(json);
    if (err == ERR_OK && rule->act.kind == ACTION_CRASH_CLIENT && !question->faults->kills_clients)
        err = err_say(why, ERR_INVALID, "%s", ONLY_HARNESS);
    return err;
}

static int ask_function(lua_State *lua)
{
    struct question *question = luahost_context(lua);
    struct json *act = NULL;
    struct fault_rule rule = {0};
    struct err_text why = {0};
    lua_rawgeti(lua, LUA_REGISTRYINDEX, question->faults->function);
    push_request(lua, question->attempt, question->at);
    lua_call(lua, 1, 1);
    if (!lua_toboolean(lua, -1))
        return 0;
    enum err err = luajson_read(lua, -1, &act, &why);
    if (err == ERR_OK)
        err = read_answer(question, act, &rule, &why);
    int line = rule.line;
    if (err == ERR_OK) {
        question->action = action_copy(&rule.act);
        fault_rule_release(&rule);
        return 0;
    }
    fault_rule_release(&rule);
    luahost_fail(
        lua, line,
        lua_pushfstring(lua, "faults(req) at %s: %s", failpoint_name(question->at), why.text));
}

static void ask(void *self, const struct attempt *attempt, enum failpoint at, fault_answer *answer,
                void *context)
{
    struct luafaults *faults = self;
    struct question question = {.faults = faults, .attempt = attempt, .at = at};
    struct err_text why;
    if (faults->function == LUA_NOREF) {
        const struct action *action = faults->rules == NULL
                                          ? &question.action
                                          : schedule_source_decide(faults->rules, attempt, at);
        answer(context, action);
        return;
    }
    if (luahost_run(faults->host, ask_function, &question, &why) != ERR_OK)
        fail_quietly(faults, &why);
    if (question.action.kind != ACTION_PASS)
        faults->function_struck = true;
    answer(context, &question.action);
    action_release(&question.action);
}

static void end(void *self, const struct attempt *attempt)
{
    struct luafaults *faults = self;
    if (faults->rules != NULL)
        fault_source_end(schedule_source_faults(faults->rules), attempt);
}

struct fault_source luafaults_source(struct luafaults *faults)
{
    static const struct fault_source_ops ops = {.ask = ask, .end = end};
    return (struct fault_source){.ops = &ops, .self = faults};
}

const char *luafaults_error(const struct luafaults *faults)
{
    return faults->error;
}

static void describe_rule(const struct luafaults *faults, size_t rule, struct err_text *text)
{
    const struct fault_rule *one = &schedule_source_schedule(faults->rules)->rules[rule];
    struct buf sentence = {0};
    fault_rule_describe(one, &sentence);
    if (faults->whens[rule] != LUA_NOREF)
        buf_add_string(&sentence, ", when its condition holds");
    err_say(text, ERR_OK, "%s (%s:%d)", buf_string(&sentence), luahost_file(faults->host),
            one->line);
    buf_release(&sentence);
}

enum err luafaults_unstruck(const struct luafaults *faults, size_t n, struct err_text *text)
{
    if (faults->function != LUA_NOREF && !faults->function_struck && n == 0)
        return err_say(text, ERR_OK, "faults(req) never returned an action (%s)",
                       luahost_file(faults->host));
    size_t count = faults->rules == NULL ? 0 : schedule_source_schedule(faults->rules)->count;
    for (size_t i = 0; i < count; i++) {
        if (schedule_source_struck(faults->rules, i) > 0 || n-- > 0)
            continue;
        describe_rule(faults, i, text);
        return ERR_OK;
    }
    return ERR_END;
}
