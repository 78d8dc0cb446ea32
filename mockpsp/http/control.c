#include "control.h"

#include "auth.h"
#include "books.h"
#include "duration.h"
#include "endpoint.h"
#include "key.h"
#include "mem.h"
#include "notice.h"
#include "params.h"
#include "secret.h"
#include "utf8.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define JOURNAL_MOST INT64_C(10000)

/* One call of the control plane. */
struct call_in {
    struct control *control;
    const struct request *request;
    const char *account; /* NULL: all */
    struct params params;
    struct json *body; /* NULL when the body is no JSON */
    struct reply *reply;
};

static void refuse(struct call_in *call, int status, const char *message)
{
    reply_error(call->reply, (struct api_error){.status = status, .message = message});
}

static void broken(struct call_in *call)
{
    char *message =
        mem_printf("The database failed: %s.", store_message(call->control->core->store));
    reply_error(call->reply,
                (struct api_error){.status = 500, .type = "api_error", .message = message});
    free(message);
}

/* From the body, JSON or form, or the query. */
static const char *input(const struct call_in *call, const char *name)
{
    const char *text = json_get_string(call->body, name);
    return text == NULL ? params_get(&call->params, name) : text;
}

static void get_health(struct call_in *call)
{
    struct json *json = json_object();
    json_set_string(json, "status", "ok");
    json_set_string(json, "version", MOCKPSP_VERSION);
    json_set_int(json, "uptime_ms", (clock_monotonic_us() - call->control->started_us) / 1000);
    json_set_int(json, "attempts", (int64_t)call->control->core->last_attempt);
    reply_object(call->reply, 200, json);
}

static void get_clock(struct call_in *call)
{
    const struct clock *clock = call->control->core->clock;
    char text[32];
    struct tm utc;
    struct json *json = json_object();
    time_t seconds = (time_t)clock_now_s(clock);
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    json_set_string(json, "mode", clock->manual ? "manual" : "real");
    json_set_int(json, "now_ms", clock_now_ms(clock));
    json_set_string(json, "now", text);
    reply_object(call->reply, 200, json);
}

static void post_clock(struct call_in *call)
{
    struct err_text why;
    int64_t ms = 0;
    const char *text = input(call, "advance");
    if (text == NULL) {
        refuse(call, 400, "Say how far: advance=25h");
        return;
    }
    if (duration_parse(text, &ms, &why) != ERR_OK) {
        refuse(call, 400, why.text);
        return;
    }
    enum err err = call->control->advance(call->control->context, ms);
    if (err == ERR_INVALID)
        refuse(call, 400, "The clock does not go past the year 9999.");
    else if (err != ERR_OK)
        broken(call);
    else
        get_clock(call);
}

static void get_faults(struct call_in *call)
{
    const struct live_faults *live = call->control->core->live;
    const struct schedule *schedule = live_faults_get(live, call->account);
    struct json *json = json_object();
    struct json *struck = json_array();
    for (size_t i = 0; schedule != NULL && i < schedule->count; i++)
        json_push(struck, json_int((int64_t)live_faults_struck(live, call->account, i)));
    json_set(json, "faults", schedule == NULL ? json_null() : schedule_to_json(schedule));
    json_set(json, "struck", struck);
    reply_object(call->reply, 200, json);
}

static bool needs_harness(const struct schedule *schedule)
{
    for (size_t i = 0; i < schedule->count; i++)
        if (schedule->rules[i].act.kind == ACTION_CRASH_CLIENT)
            return true;
    return false;
}

static void put_faults(struct call_in *call)
{
    struct schedule schedule;
    struct err_text why;
    const struct json *list =
        json_is_object(call->body) ? json_get(call->body, "faults") : call->body;
    if (list == NULL) {
        refuse(call, 400,
               "Send a JSON list of faults: [{\"on\":\"POST *\",\"at\":"
               "\"after_commit\",\"act\":{\"kind\":\"drop\"}}]");
        return;
    }
    if (schedule_from_json(list, &schedule, &why) != ERR_OK) {
        refuse(call, 400, why.text);
        return;
    }
    if (needs_harness(&schedule)) {
        schedule_release(&schedule);
        refuse(call, 400, "crash_client needs psp-harness: a provider does not know its clients.");
        return;
    }
    live_faults_put(call->control->core->live, call->account, schedule);
    get_faults(call);
}

static void delete_faults(struct call_in *call)
{
    live_faults_delete(call->control->core->live, call->account);
    get_faults(call);
}

static void get_dialect(struct call_in *call)
{
    struct json *json = json_object();
    struct json *known = json_array();
    for (int i = 0; dialect_number(i) != NULL; i++)
        json_push(known, json_string(dialect_number(i)->name.text));
    json_set(json, "dialect", dialect_to_json(&call->control->core->dialect));
    json_set(json, "known", known);
    reply_object(call->reply, 200, json);
}

/* A name in a form or in JSON, or a whole table. */
static void put_dialect(struct call_in *call)
{
    struct dialect dialect;
    struct err_text why;
    const char *name = params_get(&call->params, "name");
    struct json *named = name == NULL ? NULL : json_string(name);
    enum err err = dialect_from_json(named == NULL ? call->body : named, &dialect, &why);
    json_free(named);
    if (err != ERR_OK) {
        refuse(call, 400, why.text);
        return;
    }
    call->control->core->dialect = dialect;
    get_dialect(call);
}

static bool number_input(struct call_in *call, const char *name, int64_t largest, int64_t *number)
{
    const char *text = input(call, name);
    char *end;
    if (text == NULL)
        return true;
    errno = 0;
    int64_t value = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0' || !isdigit((unsigned char)*text) || value > largest) {
        refuse(call, 400, "after and limit are whole numbers; limit is at most 10000.");
        return false;
    }
    *number = value;
    return true;
}

static void get_journal(struct call_in *call)
{
    int64_t after = 0, limit = JOURNAL_MOST;
    struct json *entries;
    if (!number_input(call, "after", INT64_MAX, &after) ||
        !number_input(call, "limit", JOURNAL_MOST, &limit))
        return;
    if (journal_read(call->control->core->journal, call->account, (uint64_t)after, limit,
                     &entries) != ERR_OK) {
        broken(call);
        return;
    }
    struct json *json = json_object();
    for (const struct json *entry = json_first(entries); entry != NULL; entry = json_next(entry))
        after = json_get_int(entry, "seq", after);
    json_set_bool(json, "complete", (int64_t)json_count(entries) < limit);
    json_set_int(json, "last", after);
    json_set(json, "entries", entries);
    reply_object(call->reply, 200, json);
}

static void get_ledger(struct call_in *call)
{
    struct json *books;
    if (books_read(call->control->core->store, call->account, &books) == ERR_OK)
        reply_object(call->reply, 200, books);
    else
        broken(call);
}

static enum err reset_all(struct core *core, const char *account)
{
    enum err err = store_begin(core->store);
    if (err == ERR_OK)
        err = store_set_number(core->store, "last_attempt", (int64_t)core->last_attempt);
    if (err == ERR_OK)
        err = books_reset(core->store, account);
    if (err == ERR_OK)
        err = notice_reset(core->store, account);
    if (err == ERR_OK)
        err = endpoint_reset(core->store, account);
    if (err == ERR_OK)
        err = key_reset(core->store, account);
    if (err == ERR_OK)
        err = journal_reset(core->journal, account);
    if (err == ERR_OK)
        err = journal_commit(core->journal);
    if (err != ERR_OK)
        journal_rollback(core->journal);
    return err;
}

static void post_reset(struct call_in *call)
{
    struct core *core = call->control->core;
    if (reset_all(core, call->account) != ERR_OK) {
        broken(call);
        return;
    }
    if (call->account == NULL)
        live_faults_clear(core->live);
    else
        live_faults_delete(core->live, call->account);
    struct json *json = json_object();
    json_set_bool(json, "reset", true);
    reply_object(call->reply, 200, json);
}

static const struct control_route {
    const char *method;
    const char *path;
    void (*handle)(struct call_in *call);
} ROUTES[] = {
    {"GET", "/_mock/health", get_health},   {"GET", "/_mock/clock", get_clock},
    {"POST", "/_mock/clock", post_clock},   {"GET", "/_mock/faults", get_faults},
    {"PUT", "/_mock/faults", put_faults},   {"DELETE", "/_mock/faults", delete_faults},
    {"GET", "/_mock/dialect", get_dialect}, {"PUT", "/_mock/dialect", put_dialect},
    {"GET", "/_mock/journal", get_journal}, {"GET", "/_mock/ledger", get_ledger},
    {"POST", "/_mock/reset", post_reset},
};

#define COUNT_ROUTE(method, path, does) +1
_Static_assert(sizeof ROUTES / sizeof ROUTES[0] == 0 CONTROL_LIST(COUNT_ROUTE),
               "every documented call is served, and every served call documented");
#undef COUNT_ROUTE

static void dispatch(struct call_in *call)
{
    bool path_known = false;
    for (size_t i = 0; i < sizeof ROUTES / sizeof ROUTES[0]; i++) {
        if (strcmp(ROUTES[i].path, call->request->path) != 0)
            continue;
        path_known = true;
        if (strcmp(ROUTES[i].method, call->request->method) == 0) {
            ROUTES[i].handle(call);
            return;
        }
    }
    if (path_known)
        refuse(call, 405, "The control plane does not take this method here.");
    else
        refuse(call, 404,
               "The control plane has health, clock, faults, dialect, journal, ledger, reset.");
}

static enum err read_input(struct call_in *call, struct err_text *why)
{
    const struct buf *body = &call->request->body;
    const char *query = call->request->query == NULL ? "" : call->request->query;
    const char *start = buf_string(body) + strspn(buf_string(body), " \t\r\n");
    enum err err = params_parse(query, strlen(query), &call->params, why);
    if (err != ERR_OK)
        return err;
    if (!utf8_valid(start))
        return err_say(why, ERR_INVALID, "The body has to be UTF-8.");
    if (*start == '{' || *start == '[')
        return json_parse(body->data, body->len, &call->body, why);
    return params_parse(body->data, body->len, &call->params, why);
}

bool control_owns(const char *path)
{
    return strncmp(path, "/_mock/", 7) == 0 || strcmp(path, "/_mock") == 0;
}

/* In the same time for every wrong token: it must not be guessed letter by letter. */
static bool same_token(const char *given, const char *wanted)
{
    size_t length = strlen(wanted);
    unsigned char differs = strlen(given) != length;
    for (size_t i = 0; i < length; i++)
        differs |= (unsigned char)(given[differs ? 0 : i] ^ wanted[i]);
    return differs == 0;
}

/* False after refusing. */
static bool may_control(struct call_in *call, bool local)
{
    const char *token = call->control->token;
    const char *given = request_header(call->request, "X-Mock-Token");
    if (token == NULL && local)
        return true;
    if (token != NULL && given != NULL && same_token(given, token))
        return true;
    if (token == NULL)
        refuse(call, 403,
               "The control plane answers this machine only: start mockpsp with "
               "--control-token to reach it from another one.");
    else
        refuse(call, 403, "The control plane wants its token: send the header X-Mock-Token.");
    return false;
}

void control_handle(struct control *control, const struct request *request, bool local,
                    struct reply *reply)
{
    struct err_text why;
    char *account = auth_account(request);
    struct call_in call = {
        .control = control, .request = request, .account = account, .reply = reply};
    enum err err = read_input(&call, &why);
    if (secret_is_live_key(account) || secret_in_request(request, &call.params))
        refuse(&call, 401, "This is a test provider: a key of live mode was sent and refused.");
    else if (may_control(&call, local) && err != ERR_OK)
        refuse(&call, 400, why.text);
    else if (!reply_decided(reply))
        dispatch(&call);
    params_release(&call.params);
    json_free(call.body);
    free(account);
}
