/* The life of a request, top to bottom. All the control of the request path is in this file; the
 * steps it calls do not decide about one another.
 *
 *   read -> auth -> rate -> route -> [received] -> key gate -> lock -> [before_commit] -> commit
 *        -> [after_commit] -> [responding] -> [responded] -> hand over
 *
 * A failpoint asks the fault source and may wait for its answer or for a delay; between steps no
 * transaction is open, so a request that waits holds nothing that another one needs. That is why
 * before_commit comes right before the transaction and not inside it: seen from outside, nothing
 * has been committed either way. */
#include "pipeline.h"

#include "answer.h"
#include "auth.h"
#include "check.h"
#include "describe.h"
#include "fields.h"
#include "gate.h"
#include "locks.h"
#include "log.h"
#include "mem.h"
#include "rate.h"
#include "route.h"
#include "strike.h"
#include "walk.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void run(struct exchange *x);
static void resume(void *context);

/* --- read, auth, route: what is being asked, and by whom -------------------------------------- */

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
    describe_attempt(x);
    if (note(x, EVENT_INVOKE, attempt_to_json(&x->attempt)) != ERR_OK)
        fields_broken(x);
}

/* --- failpoints ------------------------------------------------------------------------------- */

static void answered(void *context, const struct action *action);

/* A request that was refused before [received] is nothing a fault can speak of, nor is the second
 * one of those that a fault has doubled. */
static void ask(struct exchange *x, enum failpoint at)
{
    if (!x->asked)
        return;
    x->at = at;
    x->waiting = true;
    fault_source_ask(x->faults, &x->attempt, at, answered, x);
}

static void received(struct exchange *x)
{
    if (x->attempt.copy_of != 0)
        return;
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

static void responding(struct exchange *x)
{
    ask(x, FAILPOINT_RESPONDING);
}

static void responded(struct exchange *x)
{
    ask(x, FAILPOINT_RESPONDED);
}

/* --- the key gate ----------------------------------------------------------------------------- */

/* In some dialects a twin waits for the first, and then looks again. */
static void key_gate(struct exchange *x)
{
    gate_open(x);
    if (x->waits_for == NULL)
        return;
    x->waiting = true;
    x->step--;
}

/* X holds its key no longer, or has finished it: whoever waits for that goes on, in a turn of the
 * loop of its own. */
static void wake_twins(struct exchange *x)
{
    for (struct exchange *twin = x->core->alive; twin != NULL; twin = twin->next) {
        if (twin->waits_for == NULL || strcmp(twin->waits_for, x->attempt.request_id) != 0)
            continue;
        mem_set_string(&twin->waits_for, NULL);
        twin->timer = loop_after(x->core->loop, 0, resume, twin);
    }
}

/* Which object it works on. Whoever has to come back later has left no trace. */
static void lock(struct exchange *x)
{
    if (locks_take(x))
        return;
    gate_release(x);
    wake_twins(x);
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
    if (!x->committed) {
        journal_rollback(x->core->journal);
        gate_release(x);
        if (err == ERR_NOT_FOUND)
            refuse_forgotten(x);
        else
            fields_broken(x);
    }
    locks_release(x);
    wake_twins(x);
}

/* --- the answer ------------------------------------------------------------------------------- */

static void hand_over(struct exchange *x)
{
    if (!x->by_proxy)
        answer_add_headers(x);
    x->decided(x->transport, x);
}

/* --- the steps, and how they are walked ------------------------------------------------------- */

enum when { UNANSWERED, ALWAYS };

static const struct step {
    void (*take)(struct exchange *x);
    enum when when;
} LIFE[] = {
    {describe_read, UNANSWERED}, {auth_check, UNANSWERED}, {rate_check, UNANSWERED},
    {route_find, UNANSWERED},    {note_invoke, ALWAYS},    {received, UNANSWERED},
    {key_gate, UNANSWERED},      {lock, UNANSWERED},       {before_commit, UNANSWERED},
    {commit, UNANSWERED},        {after_commit, ALWAYS},   {responding, ALWAYS},
    {responded, ALWAYS},         {hand_over, ALWAYS},
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

/* --- what faults do: see strike.c ------------------------------------------------------------- */

static void free_what_it_holds(struct exchange *x)
{
    gate_release(x); /* unless it is committed, nothing happened */
    locks_release(x);
    wake_twins(x);
}

/* Goes on with the next step, from a fault source's answer or at the end of a delay. */
static void resume(void *context)
{
    struct exchange *x = context;
    x->timer = NULL;
    x->waiting = false;
    x->early = false;
    if (x->more)
        ask(x, x->at);
    else if (!x->running)
        run(x);
}

void walk_on(struct exchange *x)
{
    resume(x);
}

void walk_on_later(struct exchange *x, int64_t ms)
{
    x->timer = loop_after(x->core->loop, ms, resume, x);
}

void walk_end(struct exchange *x, enum ending ending, const char *how)
{
    free_what_it_holds(x);
    x->ending = ending;
    x->how = how;
    jump(x, hand_over);
    resume(x);
}

void walk_answer(struct exchange *x)
{
    free_what_it_holds(x);
    if (x->at != FAILPOINT_RESPONDING)
        jump(x, responding);
    resume(x);
}

void pipeline_client_gone(struct exchange *x)
{
    bool first = !x->client_gone;
    x->client_gone = true;
    if (first && x->late && x->waiting && x->at == FAILPOINT_RECEIVED)
        walk_on_later(x, x->late_ms);
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
        core_broken(x->core);
}

static void answered(void *context, const struct action *action)
{
    struct exchange *x = context;
    x->more = action->more;
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
    strike(x, action);
}

/* --- beginning and end ------------------------------------------------------------------------ */

void pipeline_start(struct exchange *x)
{
    run(x);
}

/* The client has, or can have, all of the answer. */
static bool is_answered(const struct exchange *x, bool whole)
{
    return whole && x->ending == ENDING_ANSWER && x->how == NULL;
}

static enum event_kind outcome(const struct exchange *x, bool whole)
{
    if (!is_answered(x, whole) || x->reply.status >= 500)
        return EVENT_INFO;
    return x->reply.status >= 400 ? EVENT_FAIL : EVENT_OK;
}

/* In seconds, as far as it is a number. */
static void note_retry_after(const struct exchange *x, struct json *data)
{
    const char *text = json_get_string(x->reply.headers, "Retry-After");
    if (text != NULL && *text != '\0' && strspn(text, "0123456789") == strlen(text))
        json_set_int(data, "retry_after", strtol(text, NULL, 10));
}

static struct json *outcome_data(const struct exchange *x, bool whole)
{
    struct json *data = json_object();
    if (is_answered(x, whole)) {
        json_set_int(data, "status", x->reply.status);
        json_set_bool(data, "replayed", x->replayed);
        note_retry_after(x, data);
        reply_describe(&x->reply, data);
    } else {
        json_set_string(data, "how", x->how == NULL ? "client_gone" : x->how);
    }
    return data;
}

void pipeline_finish(struct exchange *x, bool whole)
{
    if (note(x, outcome(x, whole), outcome_data(x, whole)) != ERR_OK)
        core_broken(x->core);
    if (x->crash_when_sent)
        kill(getpid(), SIGKILL);
    exchange_free(x);
}
