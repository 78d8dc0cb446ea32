/* The schedule as a fault source: which request a rule means, and how it counts. */
#include "quoted.h"
#include "schedule_source.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <signal.h>
#include <string.h>

static struct schedule_source *source_of(const char *rules)
{
    struct schedule schedule;
    struct err_text why = {0};
    struct json *json = quoted(rules);
    cr_assert_eq(schedule_from_json(json, &schedule, &why), ERR_OK, "%s", why.text);
    json_free(json);
    return schedule_source_new(schedule, (struct draws){.seed = 1});
}

static char order_1[] = "order_1", order_2[] = "order_2";
static char post[] = "POST", get[] = "GET";
static char charges[] = "/v1/charges";

/* What the source does at AT to a whole exchange that only asks there (and, first, at received). */
static enum action_kind exchange(struct schedule_source *source, uint64_t number, char *order,
                                 enum failpoint at)
{
    struct attempt attempt = {.number = number, .method = post, .path = charges};
    struct fault_source faults = schedule_source_faults(source);
    attempt.order = order;
    enum action_kind kind = schedule_source_decide(source, &attempt, FAILPOINT_RECEIVED)->kind;
    if (at != FAILPOINT_RECEIVED)
        kind = schedule_source_decide(source, &attempt, at)->kind;
    fault_source_end(faults, &attempt);
    return kind;
}

/* What it does to a delivery of an event of TYPE. */
static enum action_kind delivery(struct schedule_source *source, uint64_t number, char *order,
                                 const char *type)
{
    char event[] = "evt_1", event_type[64];
    snprintf(event_type, sizeof event_type, "%s", type);
    struct attempt attempt = {.number = ATTEMPT_DELIVERIES + number,
                              .method = post,
                              .path = charges,
                              .event = event,
                              .event_type = event_type};
    attempt.order = order;
    enum action_kind kind = schedule_source_decide(source, &attempt, FAILPOINT_WEBHOOK)->kind;
    fault_source_end(schedule_source_faults(source), &attempt);
    return kind;
}

static void keep_kind(void *context, const struct action *action)
{
    *(enum action_kind *)context = action->kind;
}

Test(no_faults, nothing_ever_happens)
{
    struct fault_source none = fault_source_none();
    struct attempt attempt = {.number = 1, .method = post, .path = charges};
    for (int at = 0; at < FAILPOINT_WEBHOOK; at++) {
        enum action_kind kind = ACTION_COUNT;
        fault_source_ask(none, &attempt, (enum failpoint)at, keep_kind, &kind);
        cr_assert_eq(kind, ACTION_PASS);
    }
    fault_source_end(none, &attempt);
}

Test(schedule_source, an_empty_one_lets_everything_pass)
{
    struct schedule_source *source = source_of("[]");
    cr_assert_eq(exchange(source, 1, order_1, FAILPOINT_AFTER_COMMIT), ACTION_PASS);
    schedule_source_free(source);
    schedule_source_free(NULL);
}

Test(schedule_source, strikes_at_its_failpoint_alone)
{
    struct schedule_source *source = source_of("[{'at':'after_commit','act':{'kind':'drop'}}]");
    struct attempt attempt = {.number = 1, .method = post, .path = charges};
    for (int at = 0; at < FAILPOINT_WEBHOOK; at++) {
        enum action_kind expected = at == FAILPOINT_AFTER_COMMIT ? ACTION_DROP : ACTION_PASS;
        enum action_kind kind = ACTION_COUNT;
        fault_source_ask(schedule_source_faults(source), &attempt, (enum failpoint)at, keep_kind,
                         &kind);
        cr_expect_eq(kind, expected, "at %s", failpoint_name((enum failpoint)at));
    }
    cr_expect_eq(schedule_source_struck(source, 0), 1);
    schedule_source_free(source);
}

Test(schedule_source, attempts_are_counted_per_order)
{
    struct schedule_source *source =
        source_of("[{'attempt':2,'at':'received','act':{'kind':'drop'}}]");
    cr_expect_eq(exchange(source, 1, order_1, FAILPOINT_RECEIVED), ACTION_PASS);
    cr_expect_eq(exchange(source, 2, order_2, FAILPOINT_RECEIVED), ACTION_PASS);
    cr_expect_eq(exchange(source, 3, order_1, FAILPOINT_RECEIVED), ACTION_DROP);
    cr_expect_eq(exchange(source, 4, order_1, FAILPOINT_RECEIVED), ACTION_PASS);
    cr_expect_eq(exchange(source, 5, NULL, FAILPOINT_RECEIVED), ACTION_PASS);
    cr_expect_eq(exchange(source, 6, NULL, FAILPOINT_RECEIVED), ACTION_DROP,
                 "what belongs to no order counts together");
    cr_expect_eq(exchange(source, 7, order_2, FAILPOINT_RECEIVED), ACTION_DROP);
    cr_expect_eq(schedule_source_struck(source, 0), 3);
    schedule_source_free(source);
}

Test(schedule_source, nth_is_counted_over_the_run)
{
    struct schedule_source *source = source_of("[{'nth':3,'at':'received','act':{'kind':'drop'}}]");
    cr_expect_eq(exchange(source, 1, order_1, FAILPOINT_RECEIVED), ACTION_PASS);
    cr_expect_eq(exchange(source, 2, order_2, FAILPOINT_RECEIVED), ACTION_PASS);
    cr_expect_eq(exchange(source, 3, order_1, FAILPOINT_RECEIVED), ACTION_DROP);
    cr_expect_eq(exchange(source, 4, order_1, FAILPOINT_RECEIVED), ACTION_PASS);
    schedule_source_free(source);
}

Test(schedule_source, attempt_and_nth_must_both_fit)
{
    struct schedule_source *source =
        source_of("[{'nth':3,'attempt':1,'at':'received','act':{'kind':'drop'}}]");
    exchange(source, 1, order_1, FAILPOINT_RECEIVED);
    exchange(source, 2, order_1, FAILPOINT_RECEIVED);
    cr_expect_eq(exchange(source, 3, order_1, FAILPOINT_RECEIVED), ACTION_PASS);
    cr_expect_eq(schedule_source_struck(source, 0), 0);
    schedule_source_free(source);
}

Test(schedule_source, only_what_fits_is_counted)
{
    struct schedule_source *source =
        source_of("[{'on':'POST /v1/*','order':'order_1','attempt':1,'at':'received',"
                  "'act':{'kind':'drop'}}]");
    static char elsewhere[] = "/v2/charges";
    struct attempt other_method = {.number = 1, .method = get, .path = charges, .order = order_1};
    struct attempt other_path = {.number = 2, .method = post, .path = elsewhere, .order = order_1};
    struct attempt other_order = {.number = 3, .method = post, .path = charges, .order = order_2};
    struct attempt no_order = {.number = 4, .method = post, .path = charges};
    struct attempt *misses[] = {&other_method, &other_path, &other_order, &no_order};
    for (int i = 0; i < 4; i++)
        cr_expect_eq(schedule_source_decide(source, misses[i], FAILPOINT_RECEIVED)->kind,
                     ACTION_PASS, "miss %d", i);
    cr_expect_eq(exchange(source, 5, order_1, FAILPOINT_RECEIVED), ACTION_DROP);
    schedule_source_free(source);
}

/* 64 bits hold 64 attempts; the 65th must not wrap around to the first. */
Test(schedule_source, counts_past_the_last_attempt_that_can_be_named)
{
    struct schedule_source *source =
        source_of("[{'attempt':[1,64],'at':'received','act':{'kind':'drop'}}]");
    for (uint64_t number = 1; number <= 130; number++) {
        enum action_kind expected = number == 1 || number == 64 ? ACTION_DROP : ACTION_PASS;
        cr_expect_eq(exchange(source, number, order_1, FAILPOINT_RECEIVED), expected, "attempt %d",
                     (int)number);
    }
    schedule_source_free(source);
}

Test(schedule_source, the_first_of_several_rules_strikes)
{
    struct schedule_source *source =
        source_of("[{'attempt':2,'at':'received','act':{'kind':'drop'}},"
                  "{'at':'received','act':{'kind':'hang'}},"
                  "{'at':'responding','act':{'kind':'reset'}}]");
    cr_expect_eq(exchange(source, 1, order_1, FAILPOINT_RECEIVED), ACTION_HANG);
    cr_expect_eq(exchange(source, 2, order_1, FAILPOINT_RECEIVED), ACTION_DROP);
    cr_expect_eq(exchange(source, 3, order_1, FAILPOINT_RESPONDING), ACTION_RESET);
    cr_expect_eq(schedule_source_struck(source, 0), 1);
    cr_expect_eq(schedule_source_struck(source, 1), 2);
    cr_expect_eq(schedule_source_struck(source, 2), 1);
    schedule_source_free(source);
}

/* A slow first attempt and its quick twin: the decision made when each was received holds. */
Test(schedule_source, decides_when_received_for_the_whole_exchange)
{
    struct schedule_source *source =
        source_of("[{'attempt':1,'at':'after_commit','act':{'kind':'drop'}}]");
    struct attempt slow = {.number = 1, .method = post, .path = charges, .order = order_1};
    cr_expect_eq(schedule_source_decide(source, &slow, FAILPOINT_RECEIVED)->kind, ACTION_PASS);
    cr_expect_eq(exchange(source, 2, order_1, FAILPOINT_AFTER_COMMIT), ACTION_PASS);
    cr_expect_eq(schedule_source_decide(source, &slow, FAILPOINT_AFTER_COMMIT)->kind, ACTION_DROP);
    schedule_source_free(source);
}

Test(schedule_source, leaves_alone_what_began_before_it)
{
    struct schedule_source *source = source_of("[{'at':'after_commit','act':{'kind':'drop'}}]");
    struct attempt attempt = {.number = 9, .method = post, .path = charges};
    cr_expect_eq(schedule_source_decide(source, &attempt, FAILPOINT_AFTER_COMMIT)->kind,
                 ACTION_PASS);
    fault_source_end(schedule_source_faults(source), &attempt);
    cr_expect_eq(schedule_source_struck(source, 0), 0);
    schedule_source_free(source);
}

Test(schedule_source, a_request_that_ended_is_forgotten)
{
    struct schedule_source *source = source_of("[{'at':'after_commit','act':{'kind':'drop'}}]");
    exchange(source, 1, order_1, FAILPOINT_RECEIVED);
    struct attempt attempt = {.number = 1, .method = post, .path = charges};
    cr_expect_eq(schedule_source_decide(source, &attempt, FAILPOINT_AFTER_COMMIT)->kind,
                 ACTION_PASS);
    schedule_source_free(source);
}

Test(schedule_source, a_request_received_twice_is_a_bug, .signal = SIGABRT)
{
    cr_redirect_stderr();
    struct schedule_source *source = source_of("[]");
    struct attempt attempt = {.number = 1, .method = post, .path = charges};
    schedule_source_decide(source, &attempt, FAILPOINT_RECEIVED);
    schedule_source_decide(source, &attempt, FAILPOINT_RECEIVED);
}

/* Says no to the first request it is asked about; later ones are meant. */
static bool not_the_first(void *context, size_t rule, const struct attempt *attempt)
{
    int *calls = context;
    cr_assert_eq(rule, 1, "rule 0 does not fit, so its condition is not asked");
    cr_assert_not_null(attempt->path);
    return ++*calls > 1;
}

Test(schedule_source, a_condition_has_the_last_word_before_counting)
{
    struct schedule_source *source =
        source_of("[{'on':'GET *','at':'received','act':{'kind':'hang'}},"
                  "{'attempt':1,'at':'received','act':{'kind':'drop'}}]");
    int calls = 0;
    schedule_source_set_when(source, not_the_first, &calls);
    cr_expect_eq(exchange(source, 1, order_1, FAILPOINT_RECEIVED), ACTION_PASS);
    cr_expect_eq(exchange(source, 2, order_1, FAILPOINT_RECEIVED), ACTION_DROP,
                 "the refused one was not counted");
    cr_expect_eq(calls, 2);
    schedule_source_free(source);
}

Test(schedule_source, strikes_so_many_times_and_no_more)
{
    struct schedule_source *source =
        source_of("[{'times':2,'at':'after_commit','act':{'kind':'drop'}}]");
    for (uint64_t number = 1; number <= 5; number++)
        cr_assert_eq(exchange(source, number, order_1, FAILPOINT_AFTER_COMMIT),
                     number <= 2 ? ACTION_DROP : ACTION_PASS);
    cr_assert_eq(schedule_source_struck(source, 0), 2);
    schedule_source_free(source);
}

Test(schedule_source, a_request_that_never_gets_there_uses_nothing_up)
{
    struct schedule_source *source =
        source_of("[{'times':1,'at':'after_commit','act':{'kind':'drop'}}]");
    cr_assert_eq(exchange(source, 1, order_1, FAILPOINT_RECEIVED), ACTION_PASS);
    cr_assert_eq(exchange(source, 2, order_1, FAILPOINT_AFTER_COMMIT), ACTION_DROP);
    cr_assert_eq(exchange(source, 3, order_1, FAILPOINT_AFTER_COMMIT), ACTION_PASS);
    schedule_source_free(source);
}

static enum action_kind on_connection(struct schedule_source *source, uint64_t number, uint64_t nth)
{
    struct attempt attempt = {
        .number = number, .method = post, .path = charges, .on_connection = nth};
    enum action_kind kind = schedule_source_decide(source, &attempt, FAILPOINT_RECEIVED)->kind;
    fault_source_end(schedule_source_faults(source), &attempt);
    return kind;
}

Test(schedule_source, asks_whether_the_connection_is_warm)
{
    struct schedule_source *warm =
        source_of("[{'warm':true,'nth':1,'at':'received','act':{'kind':'reset'}}]");
    struct schedule_source *cold =
        source_of("[{'warm':false,'nth':1,'at':'received','act':{'kind':'reset'}}]");
    cr_assert_eq(on_connection(warm, 1, 1), ACTION_PASS); /* does not count */
    cr_assert_eq(on_connection(warm, 2, 2), ACTION_RESET);
    cr_assert_eq(on_connection(warm, 3, 3), ACTION_PASS);
    cr_assert_eq(on_connection(cold, 1, 2), ACTION_PASS);
    cr_assert_eq(on_connection(cold, 2, 1), ACTION_RESET);
    cr_assert_eq(on_connection(cold, 3, 1), ACTION_PASS);
    schedule_source_free(warm);
    schedule_source_free(cold);
}

static enum action_kind of_paying(struct schedule_source *source, uint64_t number, bool pays)
{
    struct attempt attempt = {
        .number = number, .method = post, .path = charges, .pays = pays, .asks_issuer = pays};
    enum action_kind kind = schedule_source_decide(source, &attempt, FAILPOINT_RECEIVED)->kind;
    fault_source_end(schedule_source_faults(source), &attempt);
    return kind;
}

Test(schedule_source, means_the_request_that_pays)
{
    struct schedule_source *source =
        source_of("[{'pays':true,'attempt':1,'at':'received','act':{'kind':'drop'}}]");
    cr_assert_eq(of_paying(source, 1, false), ACTION_PASS); /* does not count */
    cr_assert_eq(of_paying(source, 2, true), ACTION_DROP);
    cr_assert_eq(of_paying(source, 3, true), ACTION_PASS);
    schedule_source_free(source);
}

Test(schedule_source, declines_nothing_where_no_money_is_asked_for)
{
    struct schedule_source *source = source_of("[{'at':'received','act':{'kind':'decline'}}]");
    cr_assert_eq(of_paying(source, 1, false), ACTION_PASS);
    cr_assert_eq(schedule_source_struck(source, 0), 0);
    cr_assert_eq(of_paying(source, 2, true), ACTION_DECLINE);
    schedule_source_free(source);
}

Test(schedule_source, a_capture_has_its_charge_and_is_not_processing)
{
    struct schedule_source *source = source_of("[{'at':'received','act':{'kind':'processing'}}]");
    struct attempt capture = {.number = 1, .method = post, .path = charges, .pays = true};
    cr_assert_eq(schedule_source_decide(source, &capture, FAILPOINT_RECEIVED)->kind, ACTION_PASS);
    fault_source_end(schedule_source_faults(source), &capture);
    cr_assert_eq(of_paying(source, 2, true), ACTION_PROCESSING);
    schedule_source_free(source);
}

Test(schedule, times_and_warm_survive_a_round_trip)
{
    struct schedule_source *source =
        source_of("[{'times':3,'warm':false,'at':'received','act':{'kind':'drop'}},"
                  " {'warm':true,'at':'received','act':{'kind':'drop'}}]");
    struct json *json = schedule_to_json(schedule_source_schedule(source));
    struct schedule again;
    cr_assert_eq(schedule_from_json(json, &again, NULL), ERR_OK);
    cr_assert_eq(again.rules[0].times, 3);
    cr_assert_eq(again.rules[0].warmth, WARMTH_COLD);
    cr_assert_eq(again.rules[1].times, 0);
    cr_assert_eq(again.rules[1].warmth, WARMTH_WARM);
    json_free(json);
    schedule_release(&again);
    schedule_source_free(source);
}

Test(schedule, times_and_warm_that_are_none_are_refused)
{
    static const char *const wrong[] = {"{'times':0",   "{'times':-1", "{'times':1.5",
                                        "{'times':'2'", "{'warm':1",   "{'warm':'yes'"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct buf text = {0};
        struct schedule schedule;
        struct err_text why = {0};
        buf_addf(&text, "[%s,'at':'received','act':{'kind':'drop'}}]", wrong[i]);
        struct json *json = quoted(buf_string(&text));
        cr_assert_eq(schedule_from_json(json, &schedule, &why), ERR_INVALID, "%s", wrong[i]);
        cr_assert_neq(strstr(why.text, "fault 1: "), NULL, "%s", why.text);
        json_free(json);
        buf_release(&text);
    }
}

static int64_t moment;

static int64_t now_ms(void *self)
{
    (void)self;
    return moment;
}

Test(schedule_source, a_profile_follows_the_clock)
{
    struct schedule schedule;
    struct json *json = quoted("[{'at':'received','act':{'kind':'delay','ms':{'spread':'ramp',"
                               "'from':0,'to':1000,'over':'10s'}}}]");
    cr_assert_eq(schedule_from_json(json, &schedule, NULL), ERR_OK);
    json_free(json);
    moment = 5000;
    struct schedule_source *source =
        schedule_source_new(schedule, draws_from_now(1, (struct clock_source){now_ms, NULL}));
    static const int64_t steps[][2] = {{5000, 0}, {7500, 250}, {15000, 1000}, {99000, 1000}};
    for (uint64_t i = 0; i < 4; i++) {
        struct attempt attempt = {.number = i + 1, .method = post, .path = charges};
        moment = steps[i][0];
        const struct action *action = schedule_source_decide(source, &attempt, FAILPOINT_RECEIVED);
        cr_expect_eq(action->ms, steps[i][1]);
        cr_expect_null(action->spread);
    }
    moment = 0; /* somebody has set the machine's clock back */
    struct attempt attempt = {.number = 9, .method = post, .path = charges};
    cr_expect_eq(schedule_source_decide(source, &attempt, FAILPOINT_RECEIVED)->ms, 0);
    schedule_source_free(source);
}

static int64_t drawn_with(uint64_t seed, char *order, size_t before)
{
    struct schedule schedule;
    struct json *json = quoted("[{'at':'received','act':{'kind':'delay','ms':{'spread':'uniform',"
                               "'low':0,'high':'1h'}}}]");
    cr_assert_eq(schedule_from_json(json, &schedule, NULL), ERR_OK);
    json_free(json);
    struct schedule_source *source = schedule_source_new(schedule, (struct draws){.seed = seed});
    int64_t ms = -1;
    for (size_t i = 0; i <= before; i++) {
        struct attempt attempt = {.number = i + 1,
                                  .method = post,
                                  .path = charges,
                                  .order = i < before ? order_2 : order};
        ms = schedule_source_decide(source, &attempt, FAILPOINT_RECEIVED)->ms;
    }
    schedule_source_free(source);
    return ms;
}

Test(schedule_source, a_draw_depends_on_the_seed_and_on_what_it_is_for)
{
    cr_expect_eq(drawn_with(1, order_1, 0), drawn_with(1, order_1, 5), "not on other orders");
    cr_expect_eq(drawn_with(1, NULL, 0), drawn_with(1, NULL, 5));
    cr_expect_neq(drawn_with(1, order_1, 0), drawn_with(2, order_1, 0));
    cr_expect_neq(drawn_with(1, order_1, 0), drawn_with(1, order_2, 0));
    cr_expect_neq(drawn_with(1, order_2, 0), drawn_with(1, order_2, 1));
}

Test(schedule_source, a_delivery_is_chosen_by_the_type_of_its_event_and_its_order)
{
    struct schedule_source *source = source_of(
        "[{'on':'charge.*','order':'order_1','at':'webhook','act':{'kind':'lose'}},"
        "{'on':'payment_intent.succeeded','attempt':2,'at':'webhook','act':{'kind':'forge'}}]");
    cr_expect_eq(delivery(source, 1, order_1, "charge.succeeded"), ACTION_LOSE);
    cr_expect_eq(delivery(source, 2, order_2, "charge.succeeded"), ACTION_PASS);
    cr_expect_eq(delivery(source, 3, order_1, "payment_intent.succeeded"), ACTION_PASS);
    cr_expect_eq(delivery(source, 4, order_2, "payment_intent.succeeded"), ACTION_PASS);
    cr_expect_eq(delivery(source, 5, order_1, "payment_intent.succeeded"), ACTION_FORGE);
    cr_expect_eq(delivery(source, 6, order_2, "payment_intent.created"), ACTION_PASS);
    schedule_source_free(source);
}

Test(schedule_source, requests_and_deliveries_do_not_count_for_one_another)
{
    struct schedule_source *source = source_of("[{'nth':2,'at':'received','act':{'kind':'drop'}},"
                                               "{'nth':2,'at':'webhook','act':{'kind':'lose'}}]");
    cr_expect_eq(exchange(source, 1, order_1, FAILPOINT_RECEIVED), ACTION_PASS);
    cr_expect_eq(delivery(source, 1, order_1, "charge.succeeded"), ACTION_PASS);
    cr_expect_eq(delivery(source, 2, order_1, "charge.succeeded"), ACTION_LOSE);
    cr_expect_eq(exchange(source, 2, order_1, FAILPOINT_RECEIVED), ACTION_DROP);
    cr_expect_eq(delivery(source, 3, order_1, "charge.succeeded"), ACTION_PASS);
    cr_expect_not(schedule_source_busy(source));
    schedule_source_free(source);
}
