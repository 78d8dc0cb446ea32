/* The life of a request, top to bottom. All the control of the request path is in this file; the
 * steps it calls do not decide about one another.
 *
 *   read -> auth -> route -> [received] -> key gate -> [before_commit] -> commit -> [after_commit]
 *        -> [responding] -> [responded] -> hand over
 *
 * A failpoint asks the fault source and may wait for its answer or for a delay; between steps no
 * transaction is open, so a request that waits holds nothing that another one needs. That is why
 * before_commit comes right before the transaction and not inside it: seen from outside, nothing
 * has been committed either way. */
#include "pipeline.h"

#include "auth.h"
#include "check.h"
#include "fields.h"
#include "fingerprint.h"
#include "gate.h"
#include "log.h"
#include "mem.h"
#include "money.h"
#include "object_id.h"
#include "route.h"
#include "secret.h"

#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_VERSION "2024-06-20"

static void run(struct exchange *x);

/* --- read, auth, route: what is being asked, and by whom -------------------------------------- */

/* What must not be written anywhere, or cannot. */
static void withhold(struct exchange *x)
{
    bool live_key = secret_in_request(&x->request, &x->params);
    x->withheld = live_key || !request_is_text(&x->request);
    if (live_key)
        reply_error(&x->reply,
                    (struct api_error){.status = 401,
                                       .message = "This is a test provider: a key of live mode "
                                                  "was sent and refused. Nothing of the request "
                                                  "was kept."});
    else if (x->withheld)
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .message = "Invalid encoding: the URL and the "
                                                             "Idempotency-Key have to be UTF-8."});
}

static void read_request(struct exchange *x)
{
    struct err_text why;
    const char *query = x->request.query == NULL ? "" : x->request.query;
    x->attempt.number = ++x->core->last_attempt;
    rng_init(&x->ids, rng_mix(x->core->seed, x->attempt.number));
    x->attempt.request_id = mem_strdup(object_id_make(&x->ids, "req_").text);
    x->attempt.account = mem_strdup("");
    enum err err = params_parse(query, strlen(query), &x->params, &why);
    if (err == ERR_OK)
        err = params_parse(x->request.body.data, x->request.body.len, &x->params, &why);
    if (err != ERR_OK)
        reply_error(&x->reply, (struct api_error){.status = 400, .message = why.text});
    withhold(x);
}

/* Amount and currency are noted when they are such: nobody knows what else was put there. */
static void describe_params(struct attempt *attempt, const struct params *params)
{
    const char *amount = params_get(params, "amount");
    const char *currency = params_get(params, "currency");
    char *end = NULL;
    attempt->params = secret_blanked_params(params);
    attempt->order = mem_strdup(params_get(params, "metadata[order_id]"));
    attempt->currency = currency != NULL && strlen(currency) == 3 ? mem_strdup(currency) : NULL;
    for (char *c = attempt->currency; c != NULL && *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    int64_t number = amount == NULL ? -1 : strtoll(amount, &end, 10);
    bool good = amount != NULL && *end == '\0' && number >= 0 && number <= MONEY_LARGEST;
    attempt->amount = good ? number : -1;
}

static char *fingerprint_of(const struct exchange *x)
{
    size_t count = x->params.count;
    struct fingerprint_field *fields = mem_alloc(count * sizeof *fields);
    for (size_t i = 0; i < count; i++)
        fields[i] = (struct fingerprint_field){x->params.list[i].name, x->params.list[i].value};
    struct crypto_digest digest =
        fingerprint_make(x->attempt.method, x->attempt.path, fields, count);
    free(fields);
    return mem_strdup(digest.hex);
}

static void describe(struct exchange *x)
{
    struct attempt *attempt = &x->attempt;
    attempt->connection = x->request.connection;
    attempt->on_connection = x->request.on_connection;
    attempt->amount = -1;
    attempt->method = mem_strdup(x->withheld ? "[withheld]" : x->request.method);
    attempt->path = mem_strdup(x->withheld ? "[withheld]" : x->request.path);
    if (x->withheld)
        return;
    if (x->operation != NULL)
        attempt->route = mem_printf("%s %s", x->operation->method, x->operation->path);
    if (strcmp(attempt->method, "POST") == 0)
        attempt->key = mem_strdup(request_header(&x->request, "Idempotency-Key"));
    describe_params(attempt, &x->params);
    attempt->fingerprint = fingerprint_of(x);
}

static enum err note(struct exchange *x, enum event_kind kind, struct json *data)
{
    struct event event = event_new(kind, x->attempt.number, clock_now_ms(x->core->clock));
    json_free(event.data);
    event.data = data;
    event.order = mem_strdup(x->attempt.order);
    return journal_add(x->core->journal, x->attempt.account, event);
}

static void note_invoke(struct exchange *x)
{
    describe(x);
    if (note(x, EVENT_INVOKE, attempt_to_json(&x->attempt)) != ERR_OK)
        fields_broken(x);
}

/* --- failpoints ------------------------------------------------------------------------------- */

static void answered(void *context, const struct action *action);

static void ask(struct exchange *x, enum failpoint at)
{
    x->at = at;
    x->waiting = true;
    fault_source_ask(x->faults, &x->attempt, at, answered, x);
}

static void received(struct exchange *x)
{
    x->faults = live_faults_choose(x->core->live, x->attempt.account, x->core->faults);
    x->asked = true;
    ask(x, FAILPOINT_RECEIVED);
}

static void before_commit(struct exchange *x)
{
    if (route_writes(x))
        ask(x, FAILPOINT_BEFORE_COMMIT);
}

static void after_commit(struct exchange *x)
{
    if (x->committed)
        ask(x, FAILPOINT_AFTER_COMMIT);
}

/* Requests that were refused before [received] are nothing a fault can speak of. */
static void responding(struct exchange *x)
{
    if (x->asked)
        ask(x, FAILPOINT_RESPONDING);
}

static void responded(struct exchange *x)
{
    if (x->asked)
        ask(x, FAILPOINT_RESPONDED);
}

/* --- commit: effect and key in one transaction ------------------------------------------------ */

static enum err commit_writes(struct exchange *x)
{
    enum err err = store_begin(x->core->store);
    if (err == ERR_OK)
        err = x->operation->run(x);
    if (err == ERR_OK)
        err = gate_finish(x);
    if (err == ERR_OK)
        err = journal_commit(x->core->journal);
    return err;
}

/* It was there when the parameters were checked, and a reset has come in between. */
static void refuse_forgotten(struct exchange *x)
{
    reply_error(&x->reply, (struct api_error){.status = 404,
                                              .code = "resource_missing",
                                              .message = "What this request speaks of was "
                                                         "forgotten while it was under way."});
}

static void commit(struct exchange *x)
{
    if (!route_writes(x)) {
        if (x->operation->run(x) != ERR_OK)
            fields_broken(x);
        return;
    }
    enum err err = commit_writes(x);
    x->committed = err == ERR_OK;
    if (x->committed)
        return;
    journal_rollback(x->core->journal);
    gate_release(x);
    if (err == ERR_NOT_FOUND)
        refuse_forgotten(x);
    else
        fields_broken(x);
}

/* --- the answer ------------------------------------------------------------------------------- */

/* Whether a retry could still change anything; NULL leaves it to the client. */
static const char *should_retry(const struct exchange *x)
{
    int status = x->reply.status;
    if (!route_writes(x) || status >= 500 || status == 409 || status == 429)
        return NULL;
    return "false";
}

static void add_header(struct exchange *x, const char *name, const char *value)
{
    /* What a fault has put there stays. */
    if (value != NULL && json_get(x->reply.headers, name) == NULL)
        reply_header(&x->reply, name, value);
}

static void add_headers(struct exchange *x)
{
    const char *version = request_header(&x->request, "Stripe-Version");
    add_header(x, "Content-Type", "application/json");
    add_header(x, "Cache-Control", "no-cache, no-store");
    add_header(x, "Request-Id", x->attempt.request_id);
    add_header(x, "Stripe-Version", version == NULL || x->withheld ? DEFAULT_VERSION : version);
    add_header(x, "Stripe-Should-Retry", should_retry(x));
    if (x->use.key == NULL)
        return;
    add_header(x, "Idempotency-Key", x->use.key);
    add_header(x, "Original-Request", x->replayed ? x->original_request : x->attempt.request_id);
    add_header(x, "Idempotent-Replayed", x->replayed ? "true" : NULL);
}

static void hand_over(struct exchange *x)
{
    if (x->ending == ENDING_ANSWER)
        add_headers(x);
    x->decided(x->transport, x);
}

/* --- the steps, and how they are walked ------------------------------------------------------- */

enum when { UNANSWERED, ALWAYS };

static const struct step {
    void (*take)(struct exchange *x);
    enum when when;
} LIFE[] = {
    {read_request, UNANSWERED},  {auth_check, UNANSWERED}, {route_find, UNANSWERED},
    {note_invoke, ALWAYS},       {received, UNANSWERED},   {gate_open, UNANSWERED},
    {before_commit, UNANSWERED}, {commit, UNANSWERED},     {after_commit, ALWAYS},
    {responding, ALWAYS},        {responded, ALWAYS},      {hand_over, ALWAYS},
};

#define STEPS (sizeof LIFE / sizeof LIFE[0])

static void run(struct exchange *x)
{
    x->running = true;
    while (x->step < STEPS && !x->waiting) {
        const struct step *step = &LIFE[x->step++];
        if (step->when == ALWAYS || !reply_decided(&x->reply))
            step->take(x);
        if (x->step == STEPS)
            return; /* handed over: the transport may have freed it */
    }
    x->running = false;
}

static void jump(struct exchange *x, void (*take)(struct exchange *x))
{
    x->step = 0;
    while (LIFE[x->step].take != take)
        x->step++;
}

/* --- what faults do --------------------------------------------------------------------------- */

/* Goes on with the next step, from a fault source's answer or at the end of a delay. */
static void resume(void *context)
{
    struct exchange *x = context;
    x->timer = NULL;
    x->waiting = false;
    if (!x->running)
        run(x);
}

static void end_with(struct exchange *x, enum ending ending)
{
    gate_release(x); /* unless it is committed, nothing happened */
    x->ending = ending;
    jump(x, hand_over);
    resume(x);
}

/* The fault's answer becomes the one that the key remembers. */
static void store_answer(struct exchange *x)
{
    if (x->use.key == NULL)
        return;
    x->claimed = true;
    if (gate_finish(x) != ERR_OK)
        log_error("the database failed: %s", store_message(x->core->store));
    x->claimed = false;
}

static void apply_respond(struct exchange *x, const struct action *action)
{
    char *body = action->body == NULL ? reply_body_for(action->status) : mem_strdup(action->body);
    reply_set(&x->reply, action->status, body);
    for (const struct json *header = json_first(action->headers); header != NULL;
         header = json_next(header))
        reply_header(&x->reply, json_name(header), json_as_string(header));
    if (action->store)
        store_answer(x);
    gate_release(x);
    if (x->at != FAILPOINT_RESPONDING)
        jump(x, responding);
    resume(x);
}

static void apply_decline(struct exchange *x, const struct action *action)
{
    mem_set_string(&x->decline_text, action->code);
    x->forced_decline = x->decline_text;
    resume(x);
}

/* Without a harness there is nobody to start us again; whoever supervises us does. */
static void apply_crash_psp(struct exchange *x)
{
    if (x->at == FAILPOINT_RESPONDED) {
        x->crash_when_sent = true;
        resume(x);
        return;
    }
    log_warn("crash_psp at %s: this process kills itself", failpoint_name(x->at));
    kill(getpid(), SIGKILL);
}

static void apply(struct exchange *x, const struct action *action)
{
    switch (action->kind) {
    case ACTION_PASS:
    case ACTION_CRASH_CLIENT: /* the harness has done it; alone, nobody knows the client */
        resume(x);
        break;
    case ACTION_DELAY:
        x->timer = loop_after(x->core->loop, action->ms, resume, x);
        break;
    case ACTION_RESPOND:
        apply_respond(x, action);
        break;
    case ACTION_DROP:
        end_with(x, ENDING_CLOSE);
        break;
    case ACTION_RESET:
        end_with(x, ENDING_RESET);
        break;
    case ACTION_HANG:
        end_with(x, ENDING_HANG);
        break;
    case ACTION_DECLINE:
        apply_decline(x, action);
        break;
    case ACTION_CRASH_PSP:
        apply_crash_psp(x);
        break;
    case ACTION_COUNT:
        CHECK_UNREACHABLE();
    }
}

static void note_fault(struct exchange *x, const struct action *action)
{
    struct buf text = {0};
    struct json *data = json_object();
    action_describe(action, &text);
    json_set_string(data, "at", failpoint_name(x->at));
    json_set_string(data, "act", buf_string(&text));
    buf_release(&text);
    if (note(x, EVENT_FAULT, data) != ERR_OK)
        log_error("the database failed: %s", store_message(x->core->store));
}

static void answered(void *context, const struct action *action)
{
    struct exchange *x = context;
    /* An action out of place comes from a broken source; an exchange must not hang for it. */
    bool allowed = action_allowed(action->kind, x->at);
    if (!allowed)
        log_error("%s makes no sense at %s: passing", action_name(action->kind),
                  failpoint_name(x->at));
    if (action->kind == ACTION_PASS || !allowed) {
        resume(x);
        return;
    }
    note_fault(x, action);
    apply(x, action);
}

/* --- beginning and end ------------------------------------------------------------------------ */

void pipeline_start(struct exchange *x)
{
    run(x);
}

static enum event_kind outcome(const struct exchange *x, bool whole)
{
    if (x->ending != ENDING_ANSWER || !whole || x->reply.status >= 500)
        return EVENT_INFO;
    return x->reply.status >= 400 ? EVENT_FAIL : EVENT_OK;
}

static struct json *outcome_data(const struct exchange *x, bool whole)
{
    static const char *const how[] = {[ENDING_ANSWER] = "client_gone",
                                      [ENDING_CLOSE] = "closed",
                                      [ENDING_RESET] = "reset",
                                      [ENDING_HANG] = "hung"};
    struct json *data = json_object();
    if (x->ending == ENDING_ANSWER && whole) {
        json_set_int(data, "status", x->reply.status);
        json_set_bool(data, "replayed", x->replayed);
        reply_describe(&x->reply, data);
    } else {
        json_set_string(data, "how", how[x->ending]);
    }
    return data;
}

void pipeline_finish(struct exchange *x, bool whole)
{
    if (note(x, outcome(x, whole), outcome_data(x, whole)) != ERR_OK)
        log_error("the database failed: %s", store_message(x->core->store));
    if (x->crash_when_sent)
        kill(getpid(), SIGKILL);
    exchange_free(x);
}
