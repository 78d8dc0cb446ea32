/* The space of schedules: all of it, each once; what is skipped, and when nothing is any more. */
#include "model_lab.h"
#include "space.h"

#include <string.h>

static struct space space;
static struct lab *lab;
static struct scratch scratch;

static void open_space(struct model model)
{
    scratch = scratch_new();
    struct scratch file = scratch_file(&scratch, "trials.jsonl");
    model_explored(&model, file.path);
    lab = model_lab(file.path);
}

static void grow(struct space_options options)
{
    options.orders = 1;
    options.seed = options.seed == 0 ? 1 : options.seed;
    space_begin(&space, lab, &options);
    while (space_is_sound(&space) && space_grow(&space))
        ;
}

static void close_space(void)
{
    space_release(&space);
    lab_close(lab);
    scratch_remove(&scratch);
}

static void explore(struct model model, int depth)
{
    model.depth = depth;
    open_space(model);
    grow((struct space_options){.depth = depth, .shard = 1, .shards = 1});
}

static size_t with_role(enum node_role role)
{
    size_t count = 0;
    for (size_t i = 0; i < space.count; i++)
        count += space.nodes[i].role == role;
    return count;
}

static int by_name(const void *one, const void *other)
{
    const struct plan_name *a = one;
    const struct plan_name *b = other;
    return strcmp(a->text, b->text);
}

/* The names of what is in the space, sorted; the caller frees them. */
static struct plan_name *names(void)
{
    struct plan_name *list = mem_alloc(space.count * sizeof *list);
    for (size_t i = 0; i < space.count; i++)
        list[i] = plan_name(&space.nodes[i].plan);
    qsort(list, space.count, sizeof *list, by_name);
    return list;
}

static bool has(const struct plan *plan)
{
    struct plan_name name = plan_name(plan);
    struct plan_name *list = names();
    bool found = bsearch(&name, list, space.count, sizeof *list, by_name) != NULL;
    free(list);
    return found;
}

/* --- what is in it --------------------------------------------------------------------------- */

Test(explore_space, has_every_move_that_fits_a_moment_once)
{
    explore((struct model){0}, 1);
    struct trace trace = {0};
    struct plan nothing = {0};
    size_t expected = 1 + DELIVERY_COUNT - 1;
    model_trace(&nothing, &trace);
    for (size_t i = 0; i < trace.count; i++)
        for (int move = 0; move < MOVE_SYSTEMATIC; move++) {
            struct plan plan = {0};
            if (!move_fits((enum move)move, &trace.items[i], (struct surroundings){0}))
                continue;
            plan_add(&plan, (enum move)move, &trace.items[i]);
            cr_expect(has(&plan), "%s", move_name((enum move)move));
            plan_release(&plan);
            expected++;
        }
    cr_expect_eq(space.count, expected);
    cr_expect_gt(expected, 20);
    trace_release(&trace);
    close_space();
}

Test(explore_space, has_the_most_dangerous_first)
{
    explore((struct model){0}, 1);
    for (size_t i = 1; i < space.count; i++) {
        const struct plan *plan = &space.nodes[i].plan;
        const struct plan *before = &space.nodes[i - 1].plan;
        if (before->count > 0)
            cr_expect_leq(before->choices[0].move, plan->choices[0].move);
    }
    cr_expect_eq(space.nodes[space.count - 1].plan.choices[0].move, MOVE_slow);
    close_space();
}

Test(explore_space, has_a_later_choice_after_each)
{
    explore((struct model){0}, 2);
    size_t deep = 0;
    for (size_t i = 0; i < space.count; i++) {
        const struct plan *plan = &space.nodes[i].plan;
        if (plan->count < 2)
            continue;
        cr_expect_leq(plan->choices[0].attempt, plan->choices[1].attempt);
        deep++;
    }
    cr_expect_gt(deep, 100);
    cr_expect_eq(space.level_count, 3);
    close_space();
}

Test(explore_space, has_no_plan_twice)
{
    explore((struct model){0}, 2);
    struct plan_name *list = names();
    for (size_t i = 1; i < space.count; i++)
        cr_expect_str_neq(list[i - 1].text, list[i].text);
    free(list);
    close_space();
}

/* A key that expires while its request is on the way. */
Test(explore_space, has_nothing_that_no_client_survives)
{
    explore((struct model){0}, 2);
    struct plan plan = {0};
    struct probe probe = {
        .order = (char[]){"order_1"}, .on = (char[]){MODEL_ROUTE}, .attempt = 1, .generation = 1};
    plan_add(&plan, MOVE_late, &probe);
    plan_add(&plan, MOVE_expired_after_commit, &probe);
    cr_expect_not(has(&plan));
    plan.choices[1].attempt = 2;
    cr_expect(has(&plan), "another request may");
    plan_release(&plan);
    close_space();
}

static bool always(const struct plan *plan)
{
    (void)plan;
    return true;
}

Test(explore_space, is_not_entered_when_the_client_breaks_without_a_fault)
{
    explore((struct model){.breaks = always}, 1);
    cr_expect_not(space_is_sound(&space));
    cr_expect_eq(space.count, 1);
    close_space();
}

static bool has_a_move(const struct plan *plan)
{
    return plan->count > 0;
}

Test(explore_space, does_not_go_on_from_what_broke)
{
    explore((struct model){.breaks = has_a_move}, 2);
    for (size_t i = 0; i < space.count; i++)
        cr_expect(space.nodes[i].plan.delivery != DELIVERY_once || space.nodes[i].plan.count < 2);
    close_space();
}

/* --- what is skipped ------------------------------------------------------------------------- */

Test(explore_space, skips_what_is_like_something_else)
{
    explore((struct model){0}, 2);
    size_t skipped = with_role(NODE_SKIPPED);
    size_t sampled = with_role(NODE_SAMPLE);
    cr_expect_gt(skipped, 100);
    cr_expect_gt(sampled, 10);
    cr_expect_eq(space.samples, sampled, "all of them were compared");
    cr_expect_null(space.unlike);
    for (size_t i = 0; i < space.count; i++) {
        const struct node *node = &space.nodes[i];
        cr_expect_eq(node->trial == NULL, node->role == NODE_SKIPPED);
        if (node->role != NODE_PLAYED)
            cr_expect_neq(space.nodes[node->parent].twin, NOBODY);
    }
    close_space();
}

Test(explore_space, counts_what_it_skips)
{
    explore((struct model){0}, 2);
    size_t all = space.count;
    close_space();
    explore((struct model){.no_twins = true}, 2);
    cr_expect_eq(space.count, all);
    cr_expect_eq(with_role(NODE_PLAYED), all, "every state is one of its own");
    close_space();
}

/* A reset at first is not like a lost answer, although the client went on alike. */
static bool breaks_after_a_reset(const struct plan *plan)
{
    return plan->count == 2 && plan->choices[0].move == MOVE_lost_by_reset;
}

Test(explore_space, skips_nothing_any_more_when_a_sample_is_unlike)
{
    explore((struct model){.breaks = breaks_after_a_reset}, 2);
    size_t broken = 0;
    cr_expect(space.distrusted);
    cr_assert_not_null(space.unlike);
    cr_expect_not_null(strstr(space.unlike, "reset()"), "%s", space.unlike);
    cr_expect_not_null(strstr(space.unlike, "broke"), "%s", space.unlike);
    cr_expect_eq(with_role(NODE_SKIPPED), 0);
    for (size_t i = 0; i < space.count; i++) {
        const struct node *node = &space.nodes[i];
        cr_expect_not_null(node->trial, "what was skipped is played after all");
        broken += node->trial != NULL && node->trial->end == TRIAL_broke;
    }
    cr_expect_gt(broken, 20, "and what would have been missed is found");
    close_space();
}

static bool goes_on_in_another_way(const struct plan *plan)
{
    return plan->count == 2 && plan->choices[0].move == MOVE_lost_by_reset;
}

Test(explore_space, takes_another_continuation_for_unlike)
{
    explore((struct model){.is_odd = goes_on_in_another_way}, 2);
    cr_expect(space.distrusted);
    cr_assert_not_null(space.unlike);
    cr_expect_not_null(strstr(space.unlike, "went on in another way"), "%s", space.unlike);
    close_space();
}

/* --- what is played twice -------------------------------------------------------------------- */

Test(explore_space, plays_a_share_twice)
{
    explore((struct model){0}, 2);
    cr_expect_gt(space.checked, 1);
    cr_expect_lt(space.checked, space.count / 4);
    cr_expect_eq(space.wandering, 0);
    cr_expect_null(space.wanders);
    close_space();
}

Test(explore_space, names_a_client_that_wanders)
{
    explore((struct model){.wanders = always}, 2);
    cr_expect_eq(space.wandering, space.checked);
    cr_assert_not_null(space.wanders);
    cr_expect_str_eq(space.wanders, "nothing goes wrong: event 1 is once {\"kind\":\"start\"} and "
                                    "once {\"kind\":\"exit\"}");
    cr_expect_gt(space.count, 100, "it is explored all the same");
    close_space();
}

/* --- shards ---------------------------------------------------------------------------------- */

#define SHARDS 3

/* How often each plan of the whole is in the shards. */
static void count_shards(struct model model, size_t *times, const struct space *whole)
{
    for (int shard = 1; shard <= SHARDS; shard++) {
        grow((struct space_options){.depth = model.depth, .shard = shard, .shards = SHARDS});
        struct plan_name *list = names();
        for (size_t i = 0; i < whole->count; i++) {
            struct plan_name name = plan_name(&whole->nodes[i].plan);
            times[i] += bsearch(&name, list, space.count, sizeof *list, by_name) != NULL;
        }
        free(list);
        for (size_t i = 0; i < space.count; i++) {
            cr_expect(space_is_mine(&space, &space.nodes[i]));
            cr_expect(space.nodes[i].role == NODE_SKIPPED || space.nodes[i].trial != NULL);
        }
        cr_expect_lt(space.count, whole->count);
        space_release(&space);
    }
}

static void expect_shards_to_cover(struct model model)
{
    model.depth = 2;
    open_space(model);
    grow((struct space_options){.depth = 2, .shard = 1, .shards = 1, .every = true});
    struct space whole = space;
    size_t *times = mem_alloc(whole.count * sizeof *times);
    count_shards(model, times, &whole);
    for (size_t i = 0; i < whole.count; i++) {
        const struct node *node = &whole.nodes[i];
        bool everyones = plan_depth(&node->plan) < 2 || node->shared;
        cr_expect_eq(times[i], everyones ? SHARDS : 1, "%zu of %zu: %zu", i, whole.count, times[i]);
    }
    free(times);
    space = whole;
    close_space();
}

Test(explore_space, shards_have_all_of_it_and_nothing_twice)
{
    expect_shards_to_cover((struct model){0});
}

Test(explore_space, shards_agree_on_what_cannot_be_trusted)
{
    expect_shards_to_cover((struct model){.breaks = breaks_after_a_reset});
}

/* Every shard skips what all of them together skip. */
Test(explore_space, shards_skip_the_same)
{
    open_space((struct model){.depth = 2});
    grow((struct space_options){.depth = 2, .shard = 1, .shards = 1, .every = true});
    size_t skipped = with_role(NODE_SKIPPED);
    space_release(&space);
    size_t sum = 0;
    for (int shard = 1; shard <= SHARDS; shard++) {
        grow((struct space_options){.depth = 2, .shard = shard, .shards = SHARDS});
        sum += with_role(NODE_SKIPPED);
        space_release(&space);
    }
    cr_expect_eq(sum, skipped);
    lab_close(lab);
    scratch_remove(&scratch);
}
