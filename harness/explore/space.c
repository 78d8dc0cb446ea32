#include "space.h"

#include "buf.h"
#include "check.h"
#include "mem.h"
#include "rng.h"

#include <stdlib.h>
#include <string.h>

#define SAMPLE_OF 10 /* of what is skipped one in so many is played, and one of each twin */
#define TWICE_OF  20 /* of all plans one in so many is played twice */

/* --- small questions ------------------------------------------------------------------------- */

/* One in OF, the same ones for the same seed. */
static bool is_drawn(const struct space *space, const struct plan *plan, uint64_t of)
{
    struct plan_name name = plan_name(plan);
    name.text[8] = '\0';
    return rng_mix(space->options.seed, strtoull(name.text, NULL, 16)) % of == 0;
}

static bool skips_below(const struct space *space, const struct node *node)
{
    return node->twin != NOBODY && !space->distrusted && !space->nodes[node->root].distrusted;
}

static bool has_survived(const struct node *node)
{
    return node->trial != NULL && node->trial->end == TRIAL_survived;
}

bool space_is_mine(const struct space *space, const struct node *node)
{
    const struct space_options *options = &space->options;
    if (options->every || options->shards <= 1 || node->shared || plan_depth(&node->plan) < 2)
        return true;
    return (node->root - space->levels[1]) % (size_t)options->shards == (size_t)options->shard - 1;
}

bool space_is_sound(const struct space *space)
{
    return has_survived(&space->nodes[0]) &&
           (space->many == NULL || space->many->end != TRIAL_broke);
}

/* --- the children of a node ------------------------------------------------------------------ */

/* The children of one level, before they are put in order. */
struct brood {
    struct node *items;
    size_t count;
};

static void add_child(struct brood *brood, struct plan plan, size_t parent)
{
    brood->items = mem_resize(brood->items, brood->count + 1, sizeof *brood->items);
    brood->items[brood->count++] =
        (struct node){.plan = plan, .parent = parent, .root = NOBODY, .twin = NOBODY};
}

static void add_moves(const struct space *space, struct brood *brood, size_t parent)
{
    const struct node *node = &space->nodes[parent];
    const struct trace *trace = &node->trial->trace;
    size_t first = node->plan.count == 0 ? 0 : plan_reached(&node->plan, trace) + 1;
    for (size_t i = first; i < trace->count; i++)
        for (int move = 0; move < MOVE_SYSTEMATIC; move++) {
            const struct probe *probe = &trace->items[i];
            if (probe->attempt > PLAN_MOST_ATTEMPT ||
                !move_fits((enum move)move, probe, space->around))
                continue;
            struct plan plan = plan_copy(&node->plan);
            plan_add(&plan, (enum move)move, probe);
            add_child(brood, plan, parent);
        }
}

static void add_deliveries(struct brood *brood)
{
    for (int i = DELIVERY_once + 1; i < DELIVERY_COUNT; i++)
        add_child(brood, (struct plan){.delivery = (enum delivery)i}, 0);
}

static bool same_last_choice(const struct plan *a, const struct plan *b)
{
    CHECK(a->count > 0 && b->count > 0);
    const struct choice *one = &a->choices[a->count - 1];
    const struct choice *other = &b->choices[b->count - 1];
    return one->move == other->move && one->attempt == other->attempt &&
           strcmp(one->order, other->order) == 0 && strcmp(one->on, other->on) == 0;
}

/* The child of TWIN that NODE, a child of its twin, should be like. */
static struct node *counterpart(struct node *nodes, size_t count, const struct node *node,
                                size_t twin)
{
    for (size_t i = 0; i < count; i++)
        if (nodes[i].parent == twin && same_last_choice(&nodes[i].plan, &node->plan))
            return &nodes[i];
    return NULL;
}

/* What is skipped, but for a sample. */
static void skip(const struct space *space, struct brood *brood)
{
    size_t last = NOBODY;
    for (size_t i = 0; i < brood->count; i++) {
        struct node *node = &brood->items[i];
        const struct node *parent = &space->nodes[node->parent];
        if (!skips_below(space, parent))
            continue;
        bool drawn = node->parent != last || is_drawn(space, &node->plan, SAMPLE_OF);
        struct node *other =
            drawn ? counterpart(brood->items, brood->count, node, parent->twin) : NULL;
        last = node->parent;
        node->role = other != NULL ? NODE_SAMPLE : NODE_SKIPPED;
        if (other != NULL && space->level_count == 2) {
            node->shared = true;
            other->shared = true;
        }
    }
}

static size_t danger(const struct node *node)
{
    size_t sum = 0;
    for (size_t i = 0; i < node->plan.count; i++)
        sum += (size_t)node->plan.choices[i].move + 1;
    return sum;
}

/* Most dangerous first; else as they come. */
static int by_danger(const void *one, const void *other)
{
    const struct node *a = *(struct node *const *)one;
    const struct node *b = *(struct node *const *)other;
    if (danger(a) != danger(b))
        return danger(a) < danger(b) ? -1 : 1;
    return a < b ? -1 : 1;
}

/* Adds what is this shard's of BROOD, which is emptied, as the next level. */
static void add_level(struct space *space, struct brood *brood)
{
    const struct node **order = mem_alloc(brood->count * sizeof *order);
    size_t begin = space->count;
    for (size_t i = 0; i < brood->count; i++)
        order[i] = &brood->items[i];
    qsort(order, brood->count, sizeof *order, by_danger);
    space->levels[space->level_count++] = begin;
    for (size_t i = 0; i < brood->count; i++) {
        struct node node = *order[i];
        node.root = space->level_count == 2 ? begin + i : space->nodes[node.parent].root;
        if (!space_is_mine(space, &node)) {
            plan_release(&node.plan);
            continue;
        }
        space->nodes = mem_resize(space->nodes, space->count + 1, sizeof *space->nodes);
        space->nodes[space->count++] = node;
    }
    free(order);
    free(brood->items);
}

/* --- playing a level ------------------------------------------------------------------------- */

static bool is_played_twice(const struct space *space, const struct node *node)
{
    return plan_depth(&node->plan) == 0 || is_drawn(space, &node->plan, TWICE_OF);
}

/* Plays what is to be played of the nodes from BEGIN on and was not yet. */
static void play(struct space *space, size_t begin)
{
    size_t most = 2 * (space->count - begin);
    struct trial_question *questions = mem_alloc(most * sizeof *questions);
    const struct trial **answers = mem_alloc(most * sizeof *answers);
    struct node **nodes = mem_alloc(most * sizeof *nodes);
    size_t count = 0;
    for (size_t i = begin; i < space->count; i++) {
        struct node *node = &space->nodes[i];
        if (node->role == NODE_SKIPPED || node->trial != NULL)
            continue;
        bool twice = is_played_twice(space, node);
        for (int turn = 0; turn <= twice; turn++) {
            nodes[count] = node;
            questions[count++] =
                (struct trial_question){&node->plan, space->options.orders, turn, twice};
        }
    }
    lab_ask(space->lab, questions, count, answers);
    for (size_t i = 0; i < count; i++) {
        if (questions[i].turn == 0) {
            nodes[i]->trial = answers[i];
            continue;
        }
        struct buf unlike = {0};
        if (answers[i] == NULL || answers[i - 1] == NULL)
            continue;
        space->checked++;
        trial_compare(answers[i - 1], answers[i], &unlike);
        space->wandering += unlike.len > 0;
        if (unlike.len > 0 && space->wanders == NULL) {
            struct buf text = {0};
            plan_describe(&nodes[i]->plan, &text);
            buf_addf(&text, ": %s", buf_string(&unlike));
            space->wanders = buf_take(&text);
        }
        buf_release(&unlike);
    }
    free(questions);
    free(answers);
    free(nodes);
}

static bool are_alike(const struct trial *a, const struct trial *b)
{
    return a->end == b->end &&
           (a->end != TRIAL_broke || (a->invariant == b->invariant && a->cause == b->cause)) &&
           strcmp(a->signature.hex, b->signature.hex) == 0;
}

/* NODE and its counterpart OTHER were not alike: in its part of the space nothing is skipped. */
static void distrust(struct space *space, const struct node *node, const struct node *other)
{
    if (space->unlike == NULL) {
        struct buf text = {0};
        buf_add_string(&text, "\"");
        plan_describe(&node->plan, &text);
        buf_addf(&text, "\" %s, \"", trial_end_name(node->trial->end));
        plan_describe(&other->plan, &text);
        buf_addf(&text, "\" %s%s", trial_end_name(other->trial->end),
                 node->trial->end == other->trial->end ? ", but went on in another way" : "");
        space->unlike = buf_take(&text);
    }
    if (space->level_count == 3)
        space->distrusted = true;
    space->nodes[node->root].distrusted = true;
}

static void check_samples(struct space *space, size_t begin)
{
    for (size_t i = begin; i < space->count; i++) {
        struct node *node = &space->nodes[i];
        if (node->role != NODE_SAMPLE || node->trial == NULL)
            continue;
        const struct node *other = counterpart(&space->nodes[begin], space->count - begin, node,
                                               space->nodes[node->parent].twin);
        if (other == NULL || other->trial == NULL)
            continue;
        space->samples++;
        if (!are_alike(node->trial, other->trial))
            distrust(space, node, other);
    }
}

/* What was skipped in a part of the space that is no longer trusted is played after all. */
static bool take_back(struct space *space, size_t begin)
{
    bool any = false;
    for (size_t i = begin; i < space->count; i++) {
        struct node *node = &space->nodes[i];
        if (node->role == NODE_PLAYED || skips_below(space, &space->nodes[node->parent]))
            continue;
        node->role = NODE_PLAYED;
        any = true;
    }
    return any;
}

static void find_twins(struct space *space, size_t begin)
{
    for (size_t i = begin; i < space->count; i++) {
        struct node *node = &space->nodes[i];
        for (size_t j = begin; j < i && has_survived(node) && node->plan.count > 0; j++) {
            const struct node *other = &space->nodes[j];
            if (other->parent != node->parent || other->twin != NOBODY || !has_survived(other) ||
                strcmp(other->trial->signature.hex, node->trial->signature.hex) != 0)
                continue;
            node->twin = j;
            break;
        }
    }
}

/* --- from outside ---------------------------------------------------------------------------- */

void space_begin(struct space *space, struct lab *lab, const struct space_options *options)
{
    *space = (struct space){.options = *options, .lab = lab, .level_count = 1};
    space->around.one_process = options->one_process;
    space->nodes = mem_alloc(sizeof *space->nodes);
    space->nodes[0] = (struct node){.parent = NOBODY, .twin = NOBODY};
    space->count = 1;
    play(space, 0);
    if (!has_survived(&space->nodes[0]))
        return;
    const struct trace *trace = &space->nodes[0].trial->trace;
    for (size_t i = 0; i < trace->count; i++)
        space->around.listens = space->around.listens || trace->items[i].at == FAILPOINT_WEBHOOK;
    if (options->orders == SPACE_MANY)
        return;
    struct trial_question question = {&space->nodes[0].plan, SPACE_MANY, 0, false};
    lab_ask(lab, &question, 1, &space->many);
}

bool space_grow(struct space *space)
{
    struct brood brood = {0};
    size_t depth = space->level_count;
    if (depth > (size_t)space->options.depth || lab_is_out_of_time(space->lab))
        return false;
    size_t end = space->count;
    if (depth == 1)
        add_deliveries(&brood);
    for (size_t i = space->levels[depth - 1]; i < end; i++)
        if (has_survived(&space->nodes[i]) && space->nodes[i].role == NODE_PLAYED)
            add_moves(space, &brood, i);
    skip(space, &brood);
    size_t begin = space->count;
    add_level(space, &brood);
    play(space, begin);
    check_samples(space, begin);
    if (take_back(space, begin))
        play(space, begin);
    find_twins(space, begin);
    return space->count > begin;
}

void space_release(struct space *space)
{
    for (size_t i = 0; i < space->count; i++)
        plan_release(&space->nodes[i].plan);
    free(space->nodes);
    free(space->wanders);
    free(space->unlike);
    *space = (struct space){0};
}
