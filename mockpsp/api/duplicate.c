#include "duplicate.h"

#include "check.h"
#include "loop.h"
#include "pipeline.h"

#include <stddef.h>

static void finish(void *context)
{
    struct exchange *x = context;
    x->timer = NULL;
    pipeline_finish(x, false);
}

/* An end that nobody waits for. X is still in the hands of whoever brought it there. */
static void unheard(void *transport, struct exchange *x)
{
    (void)transport;
    if (x->how == NULL)
        x->how = "unheard";
    x->timer = loop_after(x->core->loop, 0, finish, x);
}

static void arrives(void *context)
{
    struct exchange *copy = context;
    copy->timer = NULL;
    pipeline_start(copy);
}

/* The client waits for COPY now, and X lives on without it. */
static void hand_client_over(struct exchange *x, struct exchange *copy)
{
    copy->decided = x->decided;
    copy->replaced = x->replaced;
    copy->transport = x->transport;
    copy->client_gone = x->client_gone;
    x->decided = unheard;
    x->replaced = NULL;
    x->transport = NULL;
    x->client_gone = true;
    if (copy->replaced != NULL)
        copy->replaced(copy->transport, copy);
}

void duplicate_deliver(struct exchange *x, int64_t ms, bool second_answers)
{
    struct request request = request_copy(&x->request);
    struct exchange *copy = exchange_new(x->core, &request, unheard, NULL);
    copy->attempt.copy_of = x->attempt.number;
    if (second_answers)
        hand_client_over(x, copy);
    copy->timer = loop_after(x->core->loop, ms, arrives, copy);
}

void duplicate_forget(struct core *core)
{
    while (core->alive != NULL) {
        CHECK(core->alive->transport == NULL);
        exchange_free(core->alive);
    }
}
