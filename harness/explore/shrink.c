#include "shrink.h"

#include "mem.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TRIALS 200
#define AT_ONCE     8 /* candidates that are played side by side; the first good one counts */

/* Smaller plans than the one at hand, the smallest first. */
struct candidate {
    struct plan plan;
    int orders;
};

struct candidates {
    struct candidate *items;
    size_t count;
};

bool shrink_is_same(const struct trial *trial, enum invariant invariant, enum cause cause)
{
    return trial->end == TRIAL_broke && trial->invariant == invariant && trial->cause == cause;
}

static struct plan *add(struct candidates *list, const struct plan *plan, int orders)
{
    list->items = mem_resize(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count] = (struct candidate){plan_copy(plan), orders};
    return &list->items[list->count++].plan;
}

static void release(struct candidates *list)
{
    for (size_t i = 0; i < list->count; i++)
        plan_release(&list->items[i].plan);
    free(list->items);
}

static void add_simpler_moves(struct candidates *list, const struct plan *plan, int orders,
                              size_t choice)
{
    enum move move = plan->choices[choice].move;
    bool hook = move_at(move) == FAILPOINT_WEBHOOK;
    for (int simplicity = 0; simplicity < move_simplicity(move); simplicity++)
        for (int other = 0; other < MOVE_COUNT; other++)
            if (move_simplicity((enum move)other) == simplicity &&
                (move_at((enum move)other) == FAILPOINT_WEBHOOK) == hook)
                add(list, plan, orders)->choices[choice].move = (enum move)other;
}

/* Two choices of one moment are one too many. */
static bool is_free(const struct plan *plan, size_t choice, int attempt)
{
    const struct choice *moved = &plan->choices[choice];
    for (size_t i = 0; i < plan->count; i++) {
        const struct choice *other = &plan->choices[i];
        if (i != choice && other->attempt == attempt &&
            move_at(other->move) == move_at(moved->move) && strcmp(other->on, moved->on) == 0 &&
            strcmp(other->order, moved->order) == 0)
            return false;
    }
    return true;
}

static struct candidates smaller(const struct plan *plan, int orders)
{
    struct candidates list = {0};
    for (int fewer = 1; fewer < orders; fewer++)
        add(&list, plan, fewer);
    if (plan->delivery != DELIVERY_once)
        add(&list, plan, orders)->delivery = DELIVERY_once;
    for (size_t i = 0; i < plan->count; i++)
        plan_remove(add(&list, plan, orders), i);
    for (size_t i = 0; i < plan->count; i++)
        add_simpler_moves(&list, plan, orders, i);
    for (size_t i = 0; i < plan->count; i++)
        for (int attempt = 1; attempt < plan->choices[i].attempt; attempt++)
            if (is_free(plan, i, attempt)) {
                struct choice *earlier = &add(&list, plan, orders)->choices[i];
                earlier->attempt = attempt;
                earlier->generation = ANY_GENERATION;
            }
    return list;
}

/* The first of COUNT candidates that shows the same; COUNT when none does. */
static size_t first_good(struct lab *lab, const struct candidate *candidates, size_t count,
                         enum invariant invariant, enum cause cause)
{
    struct trial_question questions[AT_ONCE];
    const struct trial *answers[AT_ONCE];
    for (size_t i = 0; i < count; i++)
        questions[i] = (struct trial_question){&candidates[i].plan, candidates[i].orders, 0, false};
    lab_ask(lab, questions, count, answers);
    size_t i = 0;
    while (i < count && (answers[i] == NULL || !shrink_is_same(answers[i], invariant, cause)))
        i++;
    return i;
}

size_t shrink(struct lab *lab, struct plan *plan, int *orders, enum invariant invariant,
              enum cause cause)
{
    size_t trials = 0;
    bool goes_on = true;
    while (goes_on && trials < MOST_TRIALS && !lab_is_out_of_time(lab)) {
        struct candidates list = smaller(plan, *orders);
        goes_on = false;
        for (size_t i = 0; i < list.count && !goes_on && trials < MOST_TRIALS; i += AT_ONCE) {
            size_t count = list.count - i < AT_ONCE ? list.count - i : AT_ONCE;
            size_t good = i + first_good(lab, &list.items[i], count, invariant, cause);
            trials += count;
            if (good == i + count)
                continue;
            plan_release(plan);
            *plan = plan_copy(&list.items[good].plan);
            *orders = list.items[good].orders;
            goes_on = true;
        }
        release(&list);
    }
    return trials;
}
