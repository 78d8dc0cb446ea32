/* A client for tests of exploration that is a function: what becomes of a plan is worked out, not
 * played (model_lab.h writes it down as a laboratory does).
 *
 * It sends one payment, and once more for every fault that strikes it. */
#ifndef MODEL_CLIENT_H
#define MODEL_CLIENT_H

#include "buf.h"
#include "mem.h"
#include "trial.h"

#include <stdio.h>

#define MODEL_ROUTE "POST /v1/payment_intents"

struct model {
    /* What PLAN breaks, if it does; NULL: nothing ever. */
    bool (*breaks)(const struct plan *plan);
    /* PLAN goes on in a way of its own, where it would be like another; NULL: none does. */
    bool (*is_odd)(const struct plan *plan);
    /* Of the second time that PLAN is played; NULL: it is as the first. */
    bool (*wanders)(const struct plan *plan);
    bool no_twins; /* every move leaves it in a state of its own */
    int depth;     /* of what is written down */
    FILE *file;
};

static inline void model_probe(struct trace *trace, enum failpoint at, int attempt)
{
    trace->items = mem_resize(trace->items, trace->count + 1, sizeof *trace->items);
    trace->items[trace->count++] = (struct probe){.request = (uint64_t)attempt,
                                                  .at = at,
                                                  .order = mem_strdup("order_1"),
                                                  .on = mem_strdup(MODEL_ROUTE),
                                                  .pays = true,
                                                  .asks_issuer = true,
                                                  .attempt = attempt,
                                                  .generation = 1};
}

static inline void model_trace(const struct plan *plan, struct trace *trace)
{
    static const enum failpoint way[] = {FAILPOINT_RECEIVED, FAILPOINT_BEFORE_COMMIT,
                                         FAILPOINT_AFTER_COMMIT, FAILPOINT_RESPONDING,
                                         FAILPOINT_RESPONDED};
    bool struck = true;
    for (int attempt = 1; struck; attempt++) {
        struck = false;
        for (size_t i = 0; i < sizeof way / sizeof way[0] && !struck; i++) {
            model_probe(trace, way[i], attempt);
            for (size_t j = 0; j < plan->count; j++)
                struck = struck || choice_is_at(&plan->choices[j], &trace->items[trace->count - 1]);
        }
    }
}

/* Moves at one failpoint leave the client alike. */
static inline struct crypto_digest model_signature(const struct model *model,
                                                   const struct plan *plan)
{
    struct buf text = {0};
    buf_addf(&text, "%s %zu", delivery_name(plan->delivery), plan->count);
    for (size_t i = 0; i < plan->count; i++) {
        enum move move = plan->choices[i].move;
        buf_addf(&text, " %s %d", model->no_twins ? move_name(move) : failpoint_name(move_at(move)),
                 plan->choices[i].attempt);
    }
    if (model->is_odd != NULL && model->is_odd(plan))
        buf_add_string(&text, " odd");
    struct crypto_digest digest = crypto_sha256(buf_string(&text), text.len);
    buf_release(&text);
    return digest;
}

static inline struct trial model_trial(const struct model *model, const struct plan *plan)
{
    struct trial trial = {.end = TRIAL_survived};
    model_trace(plan, &trial.trace);
    trial.signature = model_signature(model, plan);
    trial.canonical = mem_strdup("{\"kind\":\"start\"}\n");
    if (model->breaks == NULL || !model->breaks(plan))
        return trial;
    trial.end = TRIAL_broke;
    trial.invariant = INVARIANT_charged_once;
    trial.cause = CAUSE_new_key;
    trial.why = mem_strdup("order_1 was charged twice");
    trial.story = mem_strdup("the client paid twice\n");
    trial.by_hand = mem_strdup("curl\n");
    return trial;
}

#endif
