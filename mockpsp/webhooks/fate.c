#include "fate.h"

#include "action_list.h"
#include "check.h"
#include "log.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

struct fate {
    struct fault_source source;
    struct attempt attempt;
    struct delivery_fate what;
    char *acts[ACTIONS_MOST];
    size_t act_count;
    fate_decided *decided;
    void *context;
};

/* --- what is asked about ---------------------------------------------------------------------- */

/* "http://127.0.0.1:3000/hooks?a=b" -> "/hooks" */
static char *path_of(const char *url)
{
    const char *host = strstr(url, "://");
    const char *path = strchr(host == NULL ? url : host + 3, '/');
    return path == NULL ? mem_strdup("/") : mem_strndup(path, strcspn(path, "?#"));
}

/* What tells whose the event is. Not all of it: objects hold what only their client may see. */
static struct json *params_of(const struct json *object)
{
    static const char *const shown[] = {"id", "object", "status", "payment_intent", "charge"};
    struct json *params = json_object();
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) {
        char *name = mem_printf("data[object][%s]", shown[i]);
        json_maybe_string(params, name, json_get_string(object, shown[i]));
        free(name);
    }
    return params;
}

static void describe(struct attempt *attempt, const struct delivery *delivery, const char *url,
                     const struct notice *notice)
{
    struct json *object = NULL;
    CHECK(json_parse(notice->object, strlen(notice->object), &object, NULL) == ERR_OK);
    *attempt = (struct attempt){
        .number = ATTEMPT_DELIVERIES + (uint64_t)delivery->row,
        .request_id = mem_strdup(notice->request),
        .account = mem_strdup(delivery->account),
        .method = mem_strdup("POST"),
        .path = path_of(url),
        .key = mem_strdup(notice->key),
        .order = mem_strdup(notice->order),
        .amount = json_get_int(object, "amount", -1),
        .currency = mem_strdup(json_get_string(object, "currency")),
        .params = params_of(object),
        .event = mem_strdup(notice->id),
        .event_type = mem_strdup(notice->type),
        .endpoint = mem_strdup(url),
        .delivery_attempt = delivery->attempts + 1,
    };
    json_free(object);
}

struct fate *fate_new(const struct live_faults *live, struct fault_source otherwise,
                      const struct delivery *delivery, const char *url, const struct notice *notice)
{
    struct fate *fate = mem_alloc(sizeof *fate);
    fate->source = live_faults_choose(live, delivery->account, otherwise);
    describe(&fate->attempt, delivery, url, notice);
    return fate;
}

/* --- what is said ----------------------------------------------------------------------------- */

static void apply(struct delivery_fate *what, const struct action *action)
{
    if (action->kind == ACTION_LOSE)
        what->lost = true;
    else if (action->kind == ACTION_DELAY)
        what->delay_ms += action->ms;
    else if (action->kind == ACTION_REORDER)
        what->held_ms = action->ms;
    else if (action->kind == ACTION_DUPLICATE)
        what->duplicated = true;
    else if (action->kind == ACTION_FORGE)
        what->forged = true;
}

static void add(struct fate *fate, const struct action *action)
{
    struct buf text = {0};
    apply(&fate->what, action);
    action_describe(action, &text);
    fate->acts[fate->act_count++] = buf_take(&text);
}

/* An action out of place comes from a broken source; the event is sent all the same. */
static void answered(void *context, const struct action *action)
{
    struct fate *fate = context;
    bool allowed = action_allowed(action->kind, FAILPOINT_WEBHOOK);
    if (!allowed)
        log_error("%s makes no sense at webhook: passing", action_name(action->kind));
    else if (action->kind != ACTION_PASS && fate->act_count < ACTIONS_MOST)
        add(fate, action);
    if (action->more)
        fault_source_ask(fate->source, &fate->attempt, FAILPOINT_WEBHOOK, answered, fate);
    else
        fate->decided(fate->context);
}

void fate_ask(struct fate *fate, fate_decided *decided, void *context)
{
    fate->decided = decided;
    fate->context = context;
    fault_source_ask(fate->source, &fate->attempt, FAILPOINT_WEBHOOK, answered, fate);
}

const struct delivery_fate *fate_get(const struct fate *fate)
{
    return &fate->what;
}

bool fate_strikes(const struct fate *fate)
{
    return fate->act_count > 0;
}

const char *fate_act(const struct fate *fate, size_t n)
{
    return n < fate->act_count ? fate->acts[n] : NULL;
}

const char *fate_order(const struct fate *fate)
{
    return fate->attempt.order;
}

const char *fate_event_type(const struct fate *fate)
{
    return fate->attempt.event_type;
}

void fate_free(struct fate *fate)
{
    if (fate == NULL)
        return;
    fault_source_end(fate->source, &fate->attempt);
    for (size_t i = 0; i < fate->act_count; i++)
        free(fate->acts[i]);
    attempt_release(&fate->attempt);
    free(fate);
}
