#include "random.h"

#include "plan.h"
#include "rng.h"

#include <string.h>

#define AT_ONCE      16 /* walks side by side, a number of its own so that -j changes nothing */
#define DEEPEST      12
#define ACTIVE_OF    4 /* one move in so many is active */
#define WALKS_SALT   UINT64_C(0x77616c6b)
#define MOST_NOTHING 64 /* batches without anything new before it gives up */

struct walk {
    struct plan plan;
    struct rng rng;
    bool active[MOVE_COUNT];
    double chance;
    const struct trial *trial; /* of the last step */
    bool goes_on;
};

static void begin(struct walk *walk, uint64_t seed, const struct trial *root)
{
    static const double chances[] = {0.05, 0.1, 0.2, 0.5};
    *walk = (struct walk){.trial = root, .goes_on = true};
    rng_init(&walk->rng, seed);
    for (int i = 0; i < MOVE_COUNT; i++)
        walk->active[i] = rng_below(&walk->rng, ACTIVE_OF) == 0;
    walk->chance = chances[rng_below(&walk->rng, sizeof chances / sizeof chances[0])];
    if (rng_below(&walk->rng, 4) == 0)
        walk->plan.delivery = (enum delivery)rng_below(&walk->rng, DELIVERY_COUNT);
}

/* One of the active moves that fit PROBE; MOVE_COUNT when none does. */
static enum move draw(struct walk *walk, const struct probe *probe, struct surroundings around)
{
    enum move fitting[MOVE_COUNT];
    uint64_t count = 0;
    for (int i = 0; i < MOVE_COUNT; i++)
        if (walk->active[i] && move_fits((enum move)i, probe, around))
            fitting[count++] = (enum move)i;
    return count == 0 ? MOVE_COUNT : fitting[rng_below(&walk->rng, count)];
}

/* One choice more, at a later moment of the last run. False: nothing strikes any more. */
static bool extend(struct walk *walk, struct surroundings around)
{
    const struct trace *trace = &walk->trial->trace;
    size_t first = walk->plan.count == 0 ? 0 : plan_reached(&walk->plan, trace) + 1;
    for (size_t i = first; i < trace->count && walk->plan.count < DEEPEST; i++) {
        if (trace->items[i].attempt > PLAN_MOST_ATTEMPT || rng_unit(&walk->rng) >= walk->chance)
            continue;
        enum move move = draw(walk, &trace->items[i], around);
        if (move == MOVE_COUNT)
            continue;
        plan_add(&walk->plan, move, &trace->items[i]);
        return true;
    }
    return false;
}

/* One step of every walk that goes on. False when none does. */
static bool step(struct lab *lab, const struct random_options *options, struct walk *walks,
                 struct bucket_list *found, struct random_walks *totals)
{
    struct trial_question questions[AT_ONCE];
    const struct trial *answers[AT_ONCE];
    struct walk *asking[AT_ONCE];
    size_t count = 0;
    for (size_t i = 0; i < AT_ONCE; i++) {
        struct walk *walk = &walks[i];
        walk->goes_on = walk->goes_on && extend(walk, options->around);
        if (!walk->goes_on)
            continue;
        questions[count] = (struct trial_question){&walk->plan, options->orders, 0, false};
        asking[count++] = walk;
    }
    lab_ask(lab, questions, count, answers);
    for (size_t i = 0; i < count; i++) {
        struct walk *walk = asking[i];
        walk->trial = answers[i];
        walk->goes_on = answers[i] != NULL && answers[i]->end == TRIAL_survived;
        if (answers[i] == NULL)
            continue;
        totals->steps++;
        if (plan_depth(&walk->plan) > totals->deepest)
            totals->deepest = plan_depth(&walk->plan);
        totals->unsure += answers[i]->end == TRIAL_unsure || answers[i]->end == TRIAL_error;
        if (answers[i]->end == TRIAL_broke)
            bucket_list_add(found, &walk->plan, options->orders, answers[i]);
    }
    return count > 0;
}

void random_walk(struct lab *lab, const struct random_options *options, struct bucket_list *found,
                 struct random_walks *totals)
{
    struct plan nothing = {0};
    const struct trial *root;
    struct trial_question question = {&nothing, options->orders, 0, true};
    lab_ask(lab, &question, 1, &root);
    size_t shards = options->every ? 1 : (size_t)options->shards;
    size_t next = options->every ? 0 : (size_t)options->shard - 1;
    int without = 0;
    while (root != NULL && !lab_is_out_of_time(lab) && without < MOST_NOTHING) {
        struct walk walks[AT_ONCE];
        size_t before = totals->steps;
        for (size_t i = 0; i < AT_ONCE; i++, next += shards)
            begin(&walks[i], rng_mix(options->seed ^ WALKS_SALT, next), root);
        totals->walks += AT_ONCE;
        while (step(lab, options, walks, found, totals))
            ;
        for (size_t i = 0; i < AT_ONCE; i++)
            plan_release(&walks[i].plan);
        without = totals->steps == before ? without + 1 : 0;
    }
}
