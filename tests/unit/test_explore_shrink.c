/* What was found: in buckets, made short, and what of the space was tried. */
#include "bucket.h"
#include "coverage.h"
#include "model_lab.h"
#include "regression.h"
#include "shrink.h"
#include "space.h"

#include <string.h>

static struct scratch scratch;
static struct scratch file;
static struct model model;

static bool broken(const struct plan *plan)
{
    (void)plan;
    return true;
}

static void begin(void)
{
    scratch = scratch_new();
    file = scratch_file(&scratch, "trials.jsonl");
    model = (struct model){.breaks = broken, .file = fopen(file.path, "w")};
    fputs("{\"setup\":{}}\n", model.file);
}

static void end(void)
{
    scratch_remove(&scratch);
}

static void add(struct plan *plan, enum move move, int attempt)
{
    static char order[] = "order_1";
    static char route[] = MODEL_ROUTE;
    const struct probe probe = {.order = order, .on = route, .attempt = attempt, .generation = 1};
    plan_add(plan, move, &probe);
}

/* One choice that breaks, as shrinking asks for it: which key a request has that is earlier than it
 * was is not known. */
static void write_single(enum move move, int attempt, int orders)
{
    static const int generations[] = {1, ANY_GENERATION};
    struct plan plan = {0};
    add(&plan, move, attempt);
    for (int i = 0; i < 2; i++)
        for (int turn = 0; turn < 5; turn++) {
            plan.choices[0].generation = generations[i];
            model_write(&model, &plan, orders, turn);
        }
    plan_release(&plan);
}

static struct lab *open_lab(void)
{
    fclose(model.file);
    return model_lab(file.path);
}

/* --- shrinking ------------------------------------------------------------------------------- */

static void expect_shortest(struct plan *plan, int orders, const char *words, int expected_orders)
{
    struct lab *lab = open_lab();
    struct buf text = {0};
    size_t trials = shrink(lab, plan, &orders, INVARIANT_charged_once, CAUSE_new_key);
    plan_describe(plan, &text);
    cr_expect_str_eq(buf_string(&text), words);
    cr_expect_eq(orders, expected_orders);
    cr_expect_leq(trials, 208, "%zu", trials);
    buf_release(&text);
    plan_release(plan);
    lab_close(lab);
}

Test(explore_shrink, leaves_out_what_is_not_needed, .init = begin, .fini = end)
{
    struct plan plan = {0};
    add(&plan, MOVE_slow, 1);
    add(&plan, MOVE_lost, 2);
    write_single(MOVE_lost, 2, 1);
    expect_shortest(&plan, 1, "drop() at after_commit of " MODEL_ROUTE ", attempt 2 of order_1", 1);
}

Test(explore_shrink, takes_fewer_orders_first, .init = begin, .fini = end)
{
    struct plan plan = {0};
    add(&plan, MOVE_lost, 1);
    write_single(MOVE_lost, 1, 2);
    expect_shortest(&plan, 3, "drop() at after_commit of " MODEL_ROUTE ", attempt 1 of order_1", 2);
}

Test(explore_shrink, takes_simpler_moves_and_earlier_attempts, .init = begin, .fini = end)
{
    struct plan plan = {0};
    add(&plan, MOVE_lost_by_reset, 3);
    write_single(MOVE_lost, 3, 1);
    write_single(MOVE_lost, 1, 1);
    expect_shortest(&plan, 1, "drop() at after_commit of " MODEL_ROUTE ", attempt 1 of order_1", 1);
}

Test(explore_shrink, delivers_once_where_that_is_enough, .init = begin, .fini = end)
{
    struct plan plan = {.delivery = DELIVERY_again};
    add(&plan, MOVE_lost, 1);
    write_single(MOVE_lost, 1, 1);
    expect_shortest(&plan, 1, "drop() at after_commit of " MODEL_ROUTE ", attempt 1 of order_1", 1);
}

Test(explore_shrink, keeps_what_nothing_smaller_shows, .init = begin, .fini = end)
{
    struct plan plan = {0};
    add(&plan, MOVE_late, 1);
    add(&plan, MOVE_lost, 2);
    expect_shortest(&plan, 1,
                    "late(\"50ms\") at received of " MODEL_ROUTE ", attempt 1 of order_1; then "
                    "drop() at after_commit of " MODEL_ROUTE ", attempt 2 of order_1",
                    1);
}

/* Two faults at one moment: the second would never strike. */
Test(explore_shrink, does_not_put_two_choices_at_one_moment, .init = begin, .fini = end)
{
    struct plan plan = {0};
    struct plan collided = {0};
    add(&plan, MOVE_lost, 1);
    add(&plan, MOVE_lost, 2);
    add(&collided, MOVE_lost, 1);
    add(&collided, MOVE_lost, 1);
    collided.choices[1].generation = ANY_GENERATION;
    model_write(&model, &collided, 1, 0);
    expect_shortest(&plan, 1,
                    "drop() at after_commit of " MODEL_ROUTE ", attempt 1 of order_1; then "
                    "drop() at after_commit of " MODEL_ROUTE ", attempt 2 of order_1",
                    1);
    plan_release(&collided);
}

Test(explore_shrink, knows_the_same_by_invariant_and_cause)
{
    const struct trial trial = {
        .end = TRIAL_broke, .invariant = INVARIANT_charged_once, .cause = CAUSE_new_key};
    cr_expect(shrink_is_same(&trial, INVARIANT_charged_once, CAUSE_new_key));
    cr_expect_not(shrink_is_same(&trial, INVARIANT_charged_once, CAUSE_no_key));
    cr_expect_not(shrink_is_same(&trial, INVARIANT_settles, CAUSE_new_key));
    const struct trial survived = {.end = TRIAL_survived};
    cr_expect_not(shrink_is_same(&survived, (enum invariant)0, (enum cause)0));
}

/* --- buckets --------------------------------------------------------------------------------- */

static struct trial trial_of(enum invariant invariant, enum cause cause)
{
    return (struct trial){.end = TRIAL_broke, .invariant = invariant, .cause = cause};
}

Test(explore_bucket, is_one_for_each_invariant_cause_and_place)
{
    struct bucket_list list = {0};
    struct plan plan = {0};
    struct trial trial = trial_of(INVARIANT_charged_once, CAUSE_new_key);
    add(&plan, MOVE_lost, 1);
    bucket_list_add(&list, &plan, 1, &trial);
    bucket_list_add(&list, &plan, 1, &trial);
    cr_assert_eq(list.count, 1);
    cr_expect_eq(list.items[0].schedules, 2);
    trial = trial_of(INVARIANT_charged_once, CAUSE_no_key);
    bucket_list_add(&list, &plan, 1, &trial);
    trial = trial_of(INVARIANT_settles, CAUSE_no_key);
    bucket_list_add(&list, &plan, 1, &trial);
    cr_expect_eq(list.count, 3);
    mem_set_string(&plan.choices[0].on, "POST /v1/refunds");
    bucket_list_add(&list, &plan, 1, &trial);
    cr_expect_eq(list.count, 4);
    plan_release(&plan);
    bucket_list_release(&list);
}

Test(explore_bucket, has_a_name_that_never_changes)
{
    struct bucket_list list = {0};
    struct plan plan = {0};
    struct trial trial = trial_of(INVARIANT_charged_once, CAUSE_new_key);
    add(&plan, MOVE_lost, 1);
    bucket_list_add(&list, &plan, 1, &trial);
    char *name = bucket_name(&list.items[0]);
    cr_expect_str_eq(name, "r_charged_once_23461e3a");
    free(name);
    plan_release(&plan);
    bucket_list_release(&list);
}

Test(explore_bucket, is_made_short_and_confirmed, .init = begin, .fini = end)
{
    struct bucket_list list = {0};
    struct plan plan = {0};
    struct trial trial = trial_of(INVARIANT_charged_once, CAUSE_new_key);
    add(&plan, MOVE_late, 1);
    add(&plan, MOVE_lost, 1);
    write_single(MOVE_lost, 1, 1);
    struct lab *lab = open_lab();
    bucket_list_add(&list, &plan, 1, &trial);
    bucket_list_shrink(&list, lab);
    cr_expect(list.items[0].shrunk);
    cr_expect_eq(list.items[0].shortest.count, 1);
    cr_expect_eq(list.items[0].confirmed, CONFIRMATIONS);
    cr_expect_eq(list.items[0].asked, CONFIRMATIONS);
    cr_assert_not_null(list.items[0].trial);
    cr_expect_str_eq(list.items[0].trial->story, "the client paid twice\n");
    plan_release(&plan);
    bucket_list_release(&list);
    lab_close(lab);
}

Test(explore_regression, has_its_story_and_how_to_play_it, .init = begin, .fini = end)
{
    struct bucket_list list = {0};
    struct plan plan = {0};
    struct trial trial = trial_of(INVARIANT_charged_once, CAUSE_new_key);
    struct err_text why = {0};
    char text[4096] = "";
    add(&plan, MOVE_lost, 1);
    write_single(MOVE_lost, 1, 1);
    struct lab *lab = open_lab();
    bucket_list_add(&list, &plan, 1, &trial);
    bucket_list_shrink(&list, lab);
    const struct regression_command command = {"psp-harness run --seed 1 ", " -- ./pay"};
    cr_assert_eq(regression_write(&list.items[0], scratch.path, command, &why), ERR_OK, "%s",
                 why.text);
    char *name = bucket_name(&list.items[0]);
    char *path = mem_printf("%s/%s.lua", scratch.path, name);
    char *play = mem_printf("-- Play it: psp-harness run --seed 1 %s.lua -- ./pay\n", name);
    FILE *in = fopen(path, "r");
    cr_assert_not_null(in);
    cr_assert_gt(fread(text, 1, sizeof text - 1, in), 0);
    fclose(in);
    cr_expect_not_null(strstr(text, "-- Breaks charged_once: "), "%s", text);
    cr_expect_not_null(strstr(text, "-- the client paid twice\n"), "%s", text);
    cr_expect_not_null(strstr(text, "-- curl\n"), "%s", text);
    cr_expect_not_null(strstr(text, play), "%s", text);
    cr_expect_not_null(strstr(text, "\nreturn scenario {\n"), "%s", text);
    cr_expect_eq(regression_write(&list.items[0], "/nowhere", command, &why), ERR_IO);
    free(play);
    free(path);
    free(name);
    plan_release(&plan);
    bucket_list_release(&list);
    lab_close(lab);
}

/* --- coverage -------------------------------------------------------------------------------- */

static const struct cell *cell_of(const struct coverage *coverage, int attempt, enum move move)
{
    for (size_t i = 0; i < coverage->count; i++)
        if (coverage->cells[i].attempt == attempt && coverage->cells[i].move == move)
            return &coverage->cells[i];
    return NULL;
}

static bool breaks_when_lost(const struct plan *plan)
{
    return plan->count > 0 && plan->choices[plan->count - 1].move == MOVE_lost;
}

static struct coverage explore(struct lab *lab, struct space *space, int depth)
{
    const struct space_options options = {
        .depth = depth, .orders = 1, .seed = 1, .shard = 1, .shards = 1};
    space_begin(space, lab, &options);
    while (space_grow(space))
        ;
    return coverage_of(space);
}

Test(explore_coverage, says_what_came_of_every_move, .init = begin, .fini = end)
{
    struct space space;
    fclose(model.file);
    model = (struct model){.breaks = breaks_when_lost, .depth = 1};
    model_explored(&model, file.path);
    struct lab *lab = model_lab(file.path);
    struct coverage coverage = explore(lab, &space, 1);
    cr_expect_eq(cell_of(&coverage, 1, MOVE_lost)->state, CELL_broke);
    cr_expect_eq(cell_of(&coverage, 1, MOVE_request_lost)->state, CELL_survived);
    cr_expect_eq(cell_of(&coverage, 1, MOVE_lost)->schedules, 1);
    cr_assert_not_null(cell_of(&coverage, 2, MOVE_lost), "a retry was seen");
    cr_expect_eq(cell_of(&coverage, 2, MOVE_lost)->state, CELL_deeper);
    cr_expect_null(cell_of(&coverage, 1, MOVE_conflict_on_retry));
    cr_expect_null(cell_of(&coverage, 1, MOVE_answer_lost), "it reads nothing");
    cr_expect_eq(coverage_percent(&coverage), 100);
    size_t sum = 0;
    for (int i = 0; i < CELL_STATE_COUNT; i++)
        sum += coverage.of[i];
    cr_expect_eq(sum, coverage.count);
    coverage_release(&coverage);
    space_release(&space);
    lab_close(lab);
}

/* What was not tried is not known to a laboratory without a client. */
Test(explore_coverage, counts_what_was_not_tried, .init = begin, .fini = end)
{
    struct space space;
    struct plan nothing = {0};
    model.breaks = NULL;
    model_write(&model, &nothing, 1, 0);
    model_write(&model, &nothing, 1, 1);
    model_write(&model, &nothing, 3, 0);
    for (int move = 0; move < MOVE_SYSTEMATIC; move += 2)
        write_single((enum move)move, 1, 1);
    struct lab *lab = open_lab();
    struct coverage coverage = explore(lab, &space, 1);
    cr_expect_eq(cell_of(&coverage, 1, MOVE_lost)->state, CELL_survived);
    cr_expect_eq(cell_of(&coverage, 1, MOVE_lost_by_reset)->state, CELL_not_tried);
    int percent = coverage_percent(&coverage);
    cr_expect(percent > 30 && percent < 70, "%d", percent);
    coverage_release(&coverage);
    space_release(&space);
    lab_close(lab);
}
