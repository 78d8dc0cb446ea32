#include "exchange.h"

#include "mem.h"

#include <stdlib.h>
#include <string.h>

struct exchange *exchange_new(struct core *core, struct request *request, exchange_decided *decided,
                              void *transport)
{
    struct exchange *x = mem_alloc(sizeof *x);
    x->core = core;
    x->request = *request;
    *request = (struct request){0};
    x->decided = decided;
    x->transport = transport;
    x->next = core->alive;
    if (x->next != NULL)
        x->next->previous = x;
    core->alive = x;
    return x;
}

static void leave_the_living(struct exchange *x)
{
    if (x->next != NULL)
        x->next->previous = x->previous;
    if (x->previous != NULL)
        x->previous->next = x->next;
    else
        x->core->alive = x->next;
}

void exchange_free(struct exchange *x)
{
    if (x->asked)
        fault_source_end(x->faults, &x->attempt);
    loop_timer_stop(x->timer);
    leave_the_living(x);
    if (x->free_plan != NULL)
        x->free_plan(x->plan);
    request_release(&x->request);
    params_release(&x->params);
    attempt_release(&x->attempt);
    reply_release(&x->reply);
    buf_release(&x->raw);
    free(x->object_id);
    free(x->forced_decline);
    free(x->original_request);
    free(x->scoped_key);
    free(x->waits_for);
    free(x->lock);
    free(x);
}

bool exchange_is_shaped(const struct exchange *x)
{
    return x->shape.stops || x->shape.piece > 0;
}

struct exchange *exchange_find(struct core *core, const char *request_id)
{
    for (struct exchange *x = core->alive; x != NULL; x = x->next)
        if (x->attempt.request_id != NULL && strcmp(x->attempt.request_id, request_id) == 0)
            return x;
    return NULL;
}

enum err exchange_effect(struct exchange *x, struct json *data)
{
    struct event event = event_new(EVENT_EFFECT, x->attempt.number, clock_now_ms(x->core->clock));
    json_free(event.data);
    event.data = data;
    event.order = mem_strdup(x->attempt.order);
    return journal_add(x->core->journal, x->attempt.account, event);
}
