/* A laboratory that knows what becomes of plans, as if model_client.h had been explored. */
#ifndef MODEL_LAB_H
#define MODEL_LAB_H

#include "lab.h"
#include "model_client.h"
#include "scratch.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static inline void model_write(const struct model *model, const struct plan *plan, int orders,
                               int turn)
{
    struct json *json = json_object();
    struct trial trial = model_trial(model, plan);
    if (turn == 1 && model->wanders != NULL && model->wanders(plan))
        mem_set_string(&trial.canonical, "{\"kind\":\"exit\"}\n");
    json_set(json, "plan", plan_to_json(plan));
    json_set_int(json, "orders", orders);
    json_set_int(json, "turn", turn);
    json_set(json, "trial", trial_to_json(&trial));
    char *line = json_print(json);
    fprintf(model->file, "%s\n", line);
    free(line);
    json_free(json);
    trial_release(&trial);
}

/* PLAN, and all that grows from it. */
static inline void model_write_all(const struct model *model, const struct plan *plan)
{
    struct trace trace = {0};
    model_write(model, plan, 1, 0);
    model_write(model, plan, 1, 1);
    model_trace(plan, &trace);
    size_t first = plan->count == 0 ? 0 : plan_reached(plan, &trace) + 1;
    for (size_t i = first; i < trace.count && plan_depth(plan) < (size_t)model->depth; i++)
        for (int move = 0; move < MOVE_SYSTEMATIC; move++) {
            struct plan child = plan_copy(plan);
            plan_add(&child, (enum move)move, &trace.items[i]);
            if (move_fits((enum move)move, &trace.items[i], (struct surroundings){0}))
                model_write_all(model, &child);
            plan_release(&child);
        }
    trace_release(&trace);
}

/* FILE, as if MODEL had been explored to its depth. */
static inline void model_explored(struct model *model, const char *file)
{
    struct plan plan = {0};
    model->file = fopen(file, "w");
    cr_assert_not_null(model->file);
    fputs("{\"setup\":{}}\n", model->file);
    model_write(model, &plan, 3, 0);
    for (int i = 0; i < DELIVERY_COUNT; i++) {
        plan.delivery = (enum delivery)i;
        model_write_all(model, &plan);
    }
    fclose(model->file);
}

/* A laboratory without a client that knows what is in FILE. */
static inline struct lab *model_lab(const char *file)
{
    const struct lab_options options = {.workers = 1};
    struct err_text why = {0};
    struct json *setup;
    struct lab *lab;
    cr_assert_eq(lab_open(&options, &lab, &why), ERR_OK, "%s", why.text);
    cr_assert_eq(lab_recall(lab, file, &setup, &why), ERR_OK, "%s", why.text);
    json_free(setup);
    return lab;
}

#endif
