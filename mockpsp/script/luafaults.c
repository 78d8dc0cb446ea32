#include "luafaults.h"

#include "buf.h"
#include "json.h"
#include "log.h"
#include "luafields.h"
#include "luajson.h"
#include "luarules.h"
#include "mem.h"
#include "schedule_source.h"
#include "tally.h"
#include "vocabulary.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>
#include <string.h>

/* What the function answered for an attempt, while there is more of it to do. */
struct begun {
    uint64_t number;
    uint64_t nth; /* answer for its order */
    struct action_list acts;
    size_t done;
};

struct luafaults {
    struct luahost *host;
    struct draws draws;
    bool knows_clients;
    struct luarules read;          /* the list; its schedule has moved on into rules */
    struct schedule_source *rules; /* NULL when the faults are a function, or none */
    int function;                  /* reference, or LUA_NOREF */
    struct tally answers;          /* of the function, by order */
    bool function_struck;
    struct begun *begun;
    size_t begun_count;
    char *error; /* the first one, or NULL */
};

struct luafaults *luafaults_new(struct luahost *host, bool knows_clients, struct draws draws)
{
    struct luafaults *faults = mem_alloc(sizeof *faults);
    faults->host = host;
    faults->knows_clients = knows_clients;
    faults->draws = draws;
    faults->function = LUA_NOREF;
    return faults;
}

void luafaults_free(struct luafaults *faults)
{
    if (faults == NULL)
        return;
    schedule_source_free(faults->rules);
    luarules_release(&faults->read);
    for (size_t i = 0; i < faults->begun_count; i++)
        action_list_release(&faults->begun[i].acts);
    free(faults->begun);
    tally_release(&faults->answers);
    free(faults->error);
    free(faults);
}

static bool when_says(void *context, size_t rule, const struct attempt *attempt);

static void read_list(struct luafaults *faults, lua_State *lua, int index, int line)
{
    struct luarules *rules = &faults->read;
    luarules_read(rules, lua, index, line);
    for (size_t i = 0; i < rules->schedule.count; i++) {
        struct err_text why;
        if (!faults->knows_clients &&
            action_list_check_alone(&rules->schedule.rules[i].acts, &why) != ERR_OK)
            luahost_fail(lua, rules->lines[i], why.text);
    }
    faults->rules = schedule_source_new(rules->schedule, faults->draws);
    rules->schedule = (struct schedule){0};
    schedule_source_set_when(faults->rules, when_says, faults);
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

/* --- serving ------------------------------------------------------------------------------ */

static void push_string(lua_State *lua, const char *value)
{
    lua_pushstring(lua, value); /* NULL becomes nil */
}

/* All that is counted is counted from 1. */
static void push_integer(lua_State *lua, uint64_t value)
{
    if (value > 0)
        lua_pushinteger(lua, (lua_Integer)value);
    else
        lua_pushnil(lua);
}

static void push_amount(lua_State *lua, int64_t value)
{
    if (value >= 0)
        lua_pushinteger(lua, value);
    else
        lua_pushnil(lua);
}

static void push_params(lua_State *lua, const struct json *value)
{
    if (value == NULL)
        lua_newtable(lua);
    else
        luajson_push(lua, value);
}

/* The request as a script sees it, new for every call: it may do with it what it likes. */
static void push_request(lua_State *lua, const struct attempt *attempt, enum failpoint at)
{
    static const char *const names[] = {
#define FIELD_NAME(name, how, member, type, what) #name,
        REQUEST_FIELD_LIST(FIELD_NAME)
#undef FIELD_NAME
            "at",
        NULL};
    lua_newtable(lua);
#define PUSH_FIELD(name, how, member, type, what)                                                  \
    push_##how(lua, attempt->member);                                                              \
    lua_setfield(lua, -2, #name);
    REQUEST_FIELD_LIST(PUSH_FIELD)
#undef PUSH_FIELD
    push_string(lua, failpoint_name(at));
    lua_setfield(lua, -2, "at");
    luafields_only(lua, "a request", names);
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
    push_request(lua, condition->attempt,
                 condition->attempt->event == NULL ? FAILPOINT_RECEIVED : FAILPOINT_WEBHOOK);
    lua_call(lua, 1, 1);
    condition->holds = lua_toboolean(lua, -1);
    return 0;
}

static bool when_says(void *context, size_t rule, const struct attempt *attempt)
{
    struct luafaults *faults = context;
    struct condition condition = {.reference = faults->read.whens[rule], .attempt = attempt};
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
    struct action_list acts;
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
    if (err == ERR_OK && !question->faults->knows_clients)
        err = action_list_check_alone(&rule->acts, why);
    return err;
}

/* Where to point when the script made its action by hand. */
static int line_of_function(lua_State *lua, int reference)
{
    lua_rawgeti(lua, LUA_REGISTRYINDEX, reference);
    return luahost_place_of_function(lua);
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
    int line = rule.line > 0 ? rule.line : line_of_function(lua, question->faults->function);
    if (err == ERR_OK) {
        question->acts = rule.acts;
        rule.acts = (struct action_list){0};
        fault_rule_release(&rule);
        return 0;
    }
    fault_rule_release(&rule);
    luahost_fail(
        lua, line,
        lua_pushfstring(lua, "faults(req) at %s: %s", failpoint_name(question->at), why.text));
}

static struct begun *find_begun(struct luafaults *faults, uint64_t number)
{
    for (size_t i = 0; i < faults->begun_count; i++)
        if (faults->begun[i].number == number)
            return &faults->begun[i];
    return NULL;
}

static void forget_begun(struct luafaults *faults, struct begun *begun)
{
    action_list_release(&begun->acts);
    *begun = faults->begun[--faults->begun_count];
}

/* Answers with the next action of a list. */
static void go_on(struct luafaults *faults, struct begun *begun, const struct attempt *attempt,
                  fault_answer *answer, void *context)
{
    struct draw draw = {.order = attempt->order, .nth = begun->nth, .what = begun->done + 1};
    struct action action = action_copy(&begun->acts.items[begun->done++]);
    struct action settled = draws_settle(&faults->draws, &draw, 0, &action);
    if (!action.more)
        forget_begun(faults, begun);
    answer(context, &settled);
    action_release(&action);
}

static void ask_script(struct luafaults *faults, struct question *question, fault_answer *answer,
                       void *context)
{
    struct err_text why;
    if (luahost_run(faults->host, ask_function, question, &why) != ERR_OK)
        fail_quietly(faults, &why);
    if (question->acts.count == 0) {
        answer(context, &(struct action){0});
        return;
    }
    faults->function_struck =
        faults->function_struck || question->acts.items[0].kind != ACTION_PASS;
    faults->begun = mem_resize(faults->begun, faults->begun_count + 1, sizeof *faults->begun);
    struct begun *begun = &faults->begun[faults->begun_count++];
    const struct attempt *attempt = question->attempt;
    *begun = (struct begun){.number = attempt->number,
                            .nth = tally_next(&faults->answers, attempt->account, attempt->order),
                            .acts = question->acts};
    go_on(faults, begun, attempt, answer, context);
}

static void ask(void *self, const struct attempt *attempt, enum failpoint at, fault_answer *answer,
                void *context)
{
    struct luafaults *faults = self;
    struct question question = {.faults = faults, .attempt = attempt, .at = at};
    struct begun *begun = find_begun(faults, attempt->number);
    if (begun != NULL)
        go_on(faults, begun, attempt, answer, context);
    else if (faults->function != LUA_NOREF)
        ask_script(faults, &question, answer, context);
    else if (faults->rules != NULL)
        fault_source_ask(schedule_source_faults(faults->rules), attempt, at, answer, context);
    else
        answer(context, &(struct action){0});
}

/* A function counts for itself, or not at all. */
static void see(void *self, const struct attempt *attempt)
{
    struct luafaults *faults = self;
    if (faults->rules != NULL)
        schedule_source_see(faults->rules, attempt);
}

static void end(void *self, const struct attempt *attempt)
{
    struct luafaults *faults = self;
    struct begun *begun = find_begun(faults, attempt->number);
    if (begun != NULL)
        forget_begun(faults, begun);
    if (faults->rules != NULL)
        fault_source_end(schedule_source_faults(faults->rules), attempt);
}

struct fault_source luafaults_source(struct luafaults *faults)
{
    static const struct fault_source_ops ops = {.ask = ask, .see = see, .end = end};
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
    if (faults->read.whens[rule] != LUA_NOREF)
        buf_add_string(&sentence, ", when its condition holds");
    err_say(text, ERR_OK, "%s (%s:%d)", buf_string(&sentence),
            luahost_place_file(faults->host, one->line), luahost_place_line(one->line));
    buf_release(&sentence);
}

static size_t rule_count(const struct luafaults *faults)
{
    return faults->rules == NULL ? 0 : schedule_source_schedule(faults->rules)->count;
}

enum err luafaults_describe(const struct luafaults *faults, size_t n, struct err_text *text)
{
    if (faults->function != LUA_NOREF && n == 0)
        return err_say(text, ERR_OK, "what faults(req) returns (%s)", luahost_file(faults->host));
    if (n >= rule_count(faults))
        return ERR_END;
    describe_rule(faults, n, text);
    return ERR_OK;
}

enum err luafaults_unstruck(const struct luafaults *faults, size_t n, struct err_text *text)
{
    if (faults->function != LUA_NOREF && !faults->function_struck && n == 0)
        return err_say(text, ERR_OK,
                       "faults(req) never returned an action (%s): what it waits for never "
                       "came, or it does not return it",
                       luahost_file(faults->host));
    for (size_t i = 0; i < rule_count(faults); i++) {
        const struct fault_rule *rule = &schedule_source_schedule(faults->rules)->rules[i];
        if (rule->optional || schedule_source_struck(faults->rules, i) > 0 || n-- > 0)
            continue;
        struct err_text where;
        struct buf why = {0};
        describe_rule(faults, i, &where);
        schedule_source_explain(faults->rules, i, &why);
        err_say(text, ERR_OK, "%s: %s", where.text, buf_string(&why));
        buf_release(&why);
        return ERR_OK;
    }
    return ERR_END;
}
