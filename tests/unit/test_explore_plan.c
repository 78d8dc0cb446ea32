/* Moves, and plans of them: as a scenario, as JSON, by name. */
#include "plan.h"
#include "scenario.h"
#include "scratch.h"

#include <criterion/criterion.h>
#include <string.h>

#define ROUTE "POST /v1/payment_intents"

static const struct surroundings NOTHING = {0};
static const struct surroundings LISTENS = {.listens = true};

static struct probe probe_of(enum failpoint at, int attempt)
{
    static char order[] = "order_1";
    static char route[] = ROUTE;
    return (struct probe){.at = at,
                          .order = order,
                          .on = route,
                          .pays = true,
                          .asks_issuer = true,
                          .attempt = attempt,
                          .generation = 1};
}

static struct plan plan_of(enum move one, enum move other)
{
    struct plan plan = {0};
    struct probe first = probe_of(move_at(one), 1);
    struct probe second = probe_of(move_at(other), 2);
    plan_add(&plan, one, &first);
    plan_add(&plan, other, &second);
    return plan;
}

/* --- moves ----------------------------------------------------------------------------------- */

Test(explore_move, has_a_name_that_reads_back)
{
    for (int i = 0; i < MOVE_COUNT; i++) {
        enum move move;
        cr_expect(move_parse(move_name((enum move)i), &move));
        cr_expect_eq((int)move, i);
    }
    enum move move;
    cr_expect_not(move_parse("nothing", &move));
    cr_expect_not(move_parse(NULL, &move));
}

Test(explore_move, fits_where_it_can_strike)
{
    struct probe pays = probe_of(FAILPOINT_AFTER_COMMIT, 1);
    cr_expect(move_fits(MOVE_lost, &pays, NOTHING));
    cr_expect_not(move_fits(MOVE_request_lost, &pays, NOTHING), "another failpoint");
    cr_expect_not(move_fits(MOVE_hook_first, &pays, NOTHING), "nobody listens");
    cr_expect(move_fits(MOVE_hook_first, &pays, LISTENS));
    pays.pays = false;
    cr_expect_not(move_fits(MOVE_stored_500_charged, &pays, NOTHING), "there is no effect");

    struct probe retry = probe_of(FAILPOINT_RECEIVED, 1);
    cr_expect_not(move_fits(MOVE_conflict_on_retry, &retry, NOTHING), "it is the first try");
    retry.attempt = 2;
    cr_expect(move_fits(MOVE_conflict_on_retry, &retry, NOTHING));
    retry.asks_issuer = false;
    cr_expect_not(move_fits(MOVE_declined, &retry, NOTHING), "there is no issuer");

    static char question[] = "GET /v1/payment_intents";
    struct probe reads = probe_of(FAILPOINT_RECEIVED, 2);
    reads.on = question;
    cr_expect(move_fits(MOVE_silence, &reads, NOTHING));
    cr_expect_not(move_fits(MOVE_twice, &reads, NOTHING), "a question changes nothing");
    cr_expect_not(move_fits(MOVE_conflict_on_retry, &reads, NOTHING));
}

/* A batch has all orders. */
Test(explore_move, fits_who_can_be_given_an_order_twice)
{
    struct probe probe = probe_of(move_at(MOVE_second_worker), 1);
    cr_expect(move_fits(MOVE_second_worker, &probe, NOTHING));
    cr_expect_not(
        move_fits(MOVE_second_worker, &probe, (struct surroundings){.one_process = true}));
}

Test(explore_move, fits_no_request_of_which_nobody_knows_whose_it_is)
{
    struct probe probe = probe_of(FAILPOINT_RECEIVED, 1);
    probe.order = NULL;
    cr_expect_not(move_fits(MOVE_request_lost, &probe, NOTHING));
    probe = probe_of(FAILPOINT_RECEIVED, 1);
    probe.on = NULL;
    cr_expect_not(move_fits(MOVE_request_lost, &probe, NOTHING));
}

/* --- a plan as a scenario -------------------------------------------------------------------- */

static void expect_to_load(const struct plan *plan, const char *title, int orders)
{
    struct scratch scratch = scratch_new();
    struct scratch file = scratch_file(&scratch, "plan.lua");
    struct scenario *scenario;
    struct err_text why = {0};
    struct buf text = {0};
    plan_scenario(plan, title, orders, &text);
    FILE *out = fopen(file.path, "w");
    cr_assert_not_null(out);
    fputs(buf_string(&text), out);
    fclose(out);
    cr_assert_eq(scenario_load(file.path, 1, &scenario, &why), ERR_OK, "%s\n%s", why.text,
                 buf_string(&text));
    cr_expect_str_eq(scenario_title(scenario), title);
    cr_expect_eq(scenario_orders(scenario), orders);
    size_t needed = 0;
    while (scenario_unstruck(scenario, needed, &why) == ERR_OK)
        needed++;
    bool needs =
        plan->delivery == DELIVERY_once ? plan->count > 0 : plan->delivery == DELIVERY_in_an_outage;
    cr_expect_eq(needed, needs ? 1 : 0, "the first thing that goes wrong has to");
    scenario_free(scenario);
    buf_release(&text);
    scratch_remove(&scratch);
}

Test(explore_plan, is_a_scenario_for_every_move)
{
    for (int i = 0; i < MOVE_COUNT; i++) {
        struct plan plan = {0};
        struct probe probe = probe_of(move_at((enum move)i), 1);
        static char event[] = "charge.succeeded";
        if (probe.at == FAILPOINT_WEBHOOK)
            probe.on = event;
        plan_add(&plan, (enum move)i, &probe);
        expect_to_load(&plan, move_what((enum move)i), 1);
        plan_release(&plan);
    }
}

Test(explore_plan, is_a_scenario_for_every_delivery)
{
    for (int i = 0; i < DELIVERY_COUNT; i++) {
        struct plan plan = plan_of(MOVE_lost, MOVE_slow);
        plan.delivery = (enum delivery)i;
        expect_to_load(&plan, delivery_what((enum delivery)i), 3);
        plan_release(&plan);
    }
}

Test(explore_plan, is_a_scenario_whatever_an_order_is_called)
{
    struct plan plan = {0};
    struct probe probe = probe_of(FAILPOINT_RECEIVED, 1);
    static char order[] = "say \"hi\"\\n\n\t\001"
                          "7 \303\244";
    probe.order = order;
    plan_add(&plan, MOVE_request_lost, &probe);
    expect_to_load(&plan, "a \"title\" \\ of its own", 1);
    plan_release(&plan);
}

/* --- a plan as JSON -------------------------------------------------------------------------- */

Test(explore_plan, comes_back_from_json)
{
    struct plan plan = plan_of(MOVE_late, MOVE_trickle);
    struct plan read;
    plan.delivery = DELIVERY_again_later;
    struct json *json = plan_to_json(&plan);
    cr_assert_eq(plan_from_json(json, &read), ERR_OK);
    cr_expect_eq(read.delivery, DELIVERY_again_later);
    cr_assert_eq(read.count, 2);
    cr_expect_eq(read.choices[1].move, MOVE_trickle);
    cr_expect_eq(read.choices[1].attempt, 2);
    cr_expect_str_eq(read.choices[1].order, "order_1");
    cr_expect_str_eq(read.choices[1].on, ROUTE);
    cr_expect_str_eq(plan_name(&read).text, plan_name(&plan).text);
    json_free(json);
    plan_release(&read);
    plan_release(&plan);
}

static void expect_no_plan(const char *text)
{
    struct json *json;
    struct plan plan;
    cr_assert_eq(json_parse(text, strlen(text), &json, NULL), ERR_OK, "%s", text);
    cr_expect_eq(plan_from_json(json, &plan), ERR_INVALID, "%s", text);
    cr_expect_eq(plan.count, 0);
    cr_expect_null(plan.choices);
    json_free(json);
}

#define CHOICE(move, attempt)                                                                      \
    "{\"delivery\":\"once\",\"choices\":[{\"move\":\"lost\",\"order\":\"o\",\"on\":\"GET /\","     \
    "\"attempt\":1},{\"move\":\"" move "\",\"order\":\"o\",\"on\":\"GET /\",\"attempt\":" attempt  \
    "}]}"

Test(explore_plan, refuses_json_that_is_none)
{
    expect_no_plan("{}");
    expect_no_plan("[]");
    expect_no_plan("{\"delivery\":\"twice\",\"choices\":[]}");
    expect_no_plan(CHOICE("nothing", "1"));
    expect_no_plan(CHOICE("lost", "0"));
    expect_no_plan(CHOICE("lost", "65"));
    expect_no_plan(CHOICE("lost", "\"1\""));
    expect_no_plan("{\"delivery\":\"once\",\"choices\":[{\"move\":\"lost\",\"attempt\":1}]}");
}

/* --- names ----------------------------------------------------------------------------------- */

/* Files of explorations that are resumed, and samples that a seed has drawn, depend on it. */
Test(explore_plan, has_a_name_that_never_changes)
{
    struct plan plan = {0};
    cr_expect_str_eq(plan_name(&plan).text, "9938e590b6e1");
    plan = plan_of(MOVE_lost, MOVE_slow);
    cr_expect_str_eq(plan_name(&plan).text, "90d3c7f7a1ef");
    plan_release(&plan);
}

Test(explore_plan, has_another_name_when_it_is_another)
{
    struct plan plan = plan_of(MOVE_lost, MOVE_slow);
    struct plan_name name = plan_name(&plan);
    plan.choices[1].attempt = 3;
    cr_expect_str_neq(plan_name(&plan).text, name.text);
    plan.choices[1].attempt = 2;
    cr_expect_str_eq(plan_name(&plan).text, name.text);
    plan.delivery = DELIVERY_again;
    cr_expect_str_neq(plan_name(&plan).text, name.text);
    plan.delivery = DELIVERY_once;
    plan_remove(&plan, 0);
    cr_expect_str_neq(plan_name(&plan).text, name.text);
    plan_release(&plan);
}

/* --- the rest -------------------------------------------------------------------------------- */

Test(explore_plan, counts_what_goes_wrong)
{
    struct plan plan = plan_of(MOVE_lost, MOVE_slow);
    struct plan nothing = {0};
    cr_expect_eq(plan_depth(&nothing), 0);
    cr_expect_eq(plan_depth(&plan), 2);
    plan.delivery = DELIVERY_again;
    cr_expect_eq(plan_depth(&plan), 3);
    plan_release(&plan);
}

static void expect_words(const struct plan *plan, const char *words)
{
    struct buf text = {0};
    plan_describe(plan, &text);
    cr_expect_str_eq(buf_string(&text), words);
    buf_release(&text);
}

Test(explore_plan, is_told_in_words)
{
    struct plan plan = {0};
    expect_words(&plan, "nothing goes wrong");
    plan = plan_of(MOVE_lost, MOVE_unavailable);
    expect_words(&plan, "drop() at after_commit of " ROUTE ", attempt 1 of order_1; then "
                        "respond(503) at received of " ROUTE ", attempt 2 of order_1");
    plan_remove(&plan, 1);
    plan.delivery = DELIVERY_again;
    expect_words(&plan, "each job is delivered again when it is done; then drop() at after_commit "
                        "of " ROUTE ", attempt 1 of order_1");
    plan_release(&plan);
}

Test(explore_plan, knows_a_request_by_its_key)
{
    struct probe probe = probe_of(FAILPOINT_AFTER_COMMIT, 1);
    struct plan plan = plan_of(MOVE_lost, MOVE_slow);
    cr_expect(choice_is_at(&plan.choices[0], &probe));
    probe.generation = 2;
    cr_expect_not(choice_is_at(&plan.choices[0], &probe));
    plan.choices[0].generation = ANY_GENERATION;
    cr_expect(choice_is_at(&plan.choices[0], &probe));
    plan_release(&plan);
}

Test(explore_plan, reaches_a_moment_of_a_trace)
{
    struct plan plan = plan_of(MOVE_lost, MOVE_slow);
    struct probe probes[] = {probe_of(FAILPOINT_RECEIVED, 1), probe_of(FAILPOINT_AFTER_COMMIT, 1),
                             probe_of(FAILPOINT_RECEIVED, 2), probe_of(FAILPOINT_RESPONDING, 2)};
    struct trace trace = {probes, 4};
    cr_expect_eq(plan_reached(&plan, &trace), 3);
    trace.count = 3;
    cr_expect_eq(plan_reached(&plan, &trace), 3, "its count: it is not there");
    plan_release(&plan);
}
