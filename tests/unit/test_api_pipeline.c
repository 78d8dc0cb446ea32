/* The life of a request without a socket: a fake fault source that answers when the test says so,
 * and a real store, so that it can be seen that whoever waits holds nothing. */
#include "books.h"
#include "check.h"
#include "exchange.h"
#include "mem.h"
#include "pipeline.h"

#include "quoted.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>

#define START_MS INT64_C(1767225600000)

/* --- a provider without HTTP ------------------------------------------------------------------ */

static struct clock the_clock;
static struct core core;
static char events[2000]; /* "invoke effect ok " */

static void listen(void *context, const struct event *event)
{
    size_t length = strlen(events);
    (void)context;
    snprintf(events + length, sizeof events - length, "%s ", event_name(event->kind));
}

/* --- the fault source ------------------------------------------------------------------------- */

static char asked[2000]; /* "1:received 1:before_commit " */
static int ended;
static struct action acts[FAILPOINT_COUNT]; /* what is answered at once */
static bool holding[FAILPOINT_COUNT];       /* where no answer is given until the test says so */
static struct {
    fault_answer *answer;
    void *context;
} held;

static void fake_ask(void *self, const struct attempt *attempt, enum failpoint at,
                     fault_answer *answer, void *context)
{
    size_t length = strlen(asked);
    cr_assert_eq(self, &held);
    cr_expect_not(store_in_transaction(core.store), "asked inside a transaction");
    snprintf(asked + length, sizeof asked - length, "%d:%s ", (int)attempt->number,
             failpoint_name(at));
    if (!holding[at]) {
        answer(context, &acts[at]);
        return;
    }
    held.answer = answer;
    held.context = context;
    holding[at] = false; /* the next request is not held */
}

static void fake_end(void *self, const struct attempt *attempt)
{
    (void)self;
    (void)attempt;
    ended++;
}

static const struct fault_source_ops fake_ops = {.ask = fake_ask, .end = fake_end};

static void let_go(enum action_kind kind)
{
    cr_assert_not_null(held.answer, "nobody waits");
    fault_answer *answer = held.answer;
    held.answer = NULL;
    answer(held.context, &(struct action){.kind = kind});
}

/* --- set-up ----------------------------------------------------------------------------------- */

static void open_core(void)
{
    struct err_text why = {0};
    events[0] = asked[0] = '\0';
    clock_init_manual(&the_clock, START_MS);
    core = (struct core){.clock = &the_clock,
                         .loop = loop_new(),
                         .faults = {.ops = &fake_ops, .self = &held},
                         .live = live_faults_new(1, (struct clock_source){0}),
                         .seed = 1,
                         .dialect = *dialect_number(0)}; /* Stripe v1 */
    core.dialect.ttl_ms = 1000;
    cr_assert_eq(store_open(&core.store, &(struct store_options){0}, &why), ERR_OK, "%s", why.text);
    core.journal = journal_new(core.store, listen, NULL);
}

static void close_core(void)
{
    cr_expect_null(core.alive);
    live_faults_free(core.live);
    journal_free(core.journal);
    store_close(core.store);
    loop_free(core.loop);
}

TestSuite(pipeline, .init = open_core, .fini = close_core);

/* --- requests --------------------------------------------------------------------------------- */

#define PAYMENT "amount=700&currency=usd&confirm=true&payment_method=pm_card_visa"

struct sent {
    struct exchange *x;
    bool decided;
};

static void decided(void *transport, struct exchange *x)
{
    struct sent *sent = transport;
    cr_expect_not(sent->decided, "decided twice");
    cr_expect_not(store_in_transaction(core.store));
    sent->decided = true;
    sent->x = x;
}

static void send(struct sent *sent, const char *method, const char *path, const char *key)
{
    struct request request = {.method = mem_strdup(method),
                              .path = mem_strdup(path),
                              .connection = 1,
                              .on_connection = 1};
    *sent = (struct sent){0};
    if (strcmp(method, "POST") == 0)
        buf_add_string(&request.body, PAYMENT);
    request_add_header(&request, "Authorization", "Bearer sk_test_1");
    if (key != NULL)
        request_add_header(&request, "Idempotency-Key", key);
    sent->x = exchange_new(&core, &request, decided, sent);
    pipeline_start(sent->x);
}

static void pay(struct sent *sent, const char *key)
{
    send(sent, "POST", "/v1/payment_intents", key);
}

static void finish(struct sent *sent)
{
    cr_assert(sent->decided);
    pipeline_finish(sent->x, true);
}

static void expect_answer(struct sent *sent, int status, bool replayed)
{
    cr_assert(sent->decided);
    cr_expect_eq(sent->x->ending, ENDING_ANSWER);
    cr_expect_eq(sent->x->reply.status, status, "%s", sent->x->reply.body);
    cr_expect_eq(sent->x->replayed, replayed);
    finish(sent);
}

static size_t charges(void)
{
    struct json *books;
    cr_assert_eq(books_read(core.store, NULL, &books), ERR_OK);
    size_t count = json_count(json_get(books, "charges"));
    cr_expect_eq(json_get_int(json_get(books, "audit"), "wrong", -1), 0);
    json_free(books);
    return count;
}

/* --- the story -------------------------------------------------------------------------------- */

Test(pipeline, a_post_is_asked_about_at_every_failpoint_in_order)
{
    struct sent one;
    pay(&one, "key");
    expect_answer(&one, 200, false);
    cr_expect_str_eq(asked, "1:received 1:before_commit 1:after_commit 1:responding 1:responded ");
    cr_expect_str_eq(events, "invoke effect ok ");
    cr_expect_eq(ended, 1);
}

Test(pipeline, a_get_commits_nothing)
{
    struct sent one;
    send(&one, "GET", "/v1/charges", NULL);
    expect_answer(&one, 200, false);
    cr_expect_str_eq(asked, "1:received 1:responding 1:responded ");
    cr_expect_str_eq(events, "invoke ok ");
}

Test(pipeline, a_replay_commits_nothing)
{
    struct sent one, two;
    pay(&one, "key");
    finish(&one);
    asked[0] = '\0';
    pay(&two, "key");
    expect_answer(&two, 200, true);
    cr_expect_str_eq(asked, "2:received 2:responding 2:responded ");
    cr_expect_eq(charges(), 1);
}

Test(pipeline, what_is_refused_before_received_is_not_asked_about)
{
    struct sent one;
    send(&one, "GET", "/v1/nothing", NULL);
    expect_answer(&one, 404, false);
    core.api_key = "sk_test_other";
    pay(&one, "key");
    expect_answer(&one, 401, false);
    cr_expect_str_eq(asked, "");
    cr_expect_eq(ended, 0);
    cr_expect_str_eq(events, "invoke fail invoke fail ");
}

Test(pipeline, whoever_waits_holds_nothing)
{
    for (int at = 0; at < FAILPOINT_WEBHOOK; at++) {
        struct sent waits, other;
        char *key = mem_printf("key %d", at);
        holding[at] = true;
        pay(&waits, key);
        cr_expect_not(waits.decided, "it did not wait at %s", failpoint_name((enum failpoint)at));
        cr_expect_not(store_in_transaction(core.store));
        /* Others go on, from their beginning to their end. */
        pay(&other, NULL);
        expect_answer(&other, 200, false);
        let_go(ACTION_PASS);
        expect_answer(&waits, 200, false);
        cr_expect_eq(charges(), 2 * ((size_t)at + 1));
        free(key);
    }
}

Test(pipeline, the_twin_of_one_that_waits_before_its_commit_is_told_to_come_back)
{
    struct sent first, twin;
    holding[FAILPOINT_BEFORE_COMMIT] = true;
    pay(&first, "key");
    pay(&twin, "key");
    expect_answer(&twin, 409, false);
    let_go(ACTION_PASS);
    expect_answer(&first, 200, false);
    pay(&twin, "key");
    expect_answer(&twin, 200, true);
    cr_expect_eq(charges(), 1);
}

/* In some dialects it waits instead, and looks again when the first has come to its end. */
Test(pipeline, a_twin_that_waits_for_the_first_gets_its_answer)
{
    struct sent first, twin;
    core.dialect.in_flight = 0;
    core.dialect.scope = SCOPE_ENDPOINT;
    holding[FAILPOINT_BEFORE_COMMIT] = true;
    pay(&first, "key");
    pay(&twin, "key");
    cr_expect_not(twin.decided);
    cr_expect_not(store_in_transaction(core.store));
    let_go(ACTION_PASS);
    while (!twin.decided)
        loop_turn(core.loop);
    expect_answer(&first, 200, false);
    expect_answer(&twin, 200, true);
    cr_expect_eq(charges(), 1);
}

/* The key is free again: the twin is the first now. */
Test(pipeline, a_twin_that_waits_for_one_that_is_dropped_goes_on_by_itself)
{
    struct sent first, twin;
    core.dialect.in_flight = 0;
    holding[FAILPOINT_BEFORE_COMMIT] = true;
    pay(&first, "key");
    pay(&twin, "key");
    let_go(ACTION_DROP);
    while (!twin.decided)
        loop_turn(core.loop);
    cr_expect_eq(first.x->ending, ENDING_CLOSE);
    finish(&first);
    expect_answer(&twin, 200, false);
    cr_expect_eq(charges(), 1);
}

static void expect_ending(enum failpoint at, enum action_kind kind, enum ending ending,
                          size_t effects)
{
    struct sent one;
    size_t before = charges();
    events[0] = '\0';
    acts[at] = (struct action){.kind = kind, .status = 503};
    pay(&one, "key");
    acts[at] = (struct action){0};
    cr_assert(one.decided);
    cr_expect_eq(one.x->ending, ending);
    pipeline_finish(one.x, true);
    cr_expect_eq(charges() - before, effects);
    cr_expect_str_eq(events + strlen(events) - 5, "info ");
    /* The key is free again, or it remembers the answer that did not get through. */
    pay(&one, "key");
    expect_answer(&one, 200, effects == 1);
    cr_expect_eq(charges() - before, 1);
    cr_assert_eq(clock_advance(&the_clock, 1000), ERR_OK); /* and is forgotten */
}

Test(pipeline, an_action_that_ends_the_exchange_leaves_all_or_nothing)
{
    for (int at = 0; at < FAILPOINT_RESPONDED; at++) {
        size_t effects = at >= FAILPOINT_AFTER_COMMIT ? 1 : 0;
        expect_ending((enum failpoint)at, ACTION_DROP, ENDING_CLOSE, effects);
        expect_ending((enum failpoint)at, ACTION_RESET, ENDING_RESET, effects);
        expect_ending((enum failpoint)at, ACTION_HANG, ENDING_HANG, effects);
        expect_ending((enum failpoint)at, ACTION_RESPOND, ENDING_ANSWER, effects);
    }
}

Test(pipeline, a_delay_goes_on_by_the_loop)
{
    struct sent one;
    acts[FAILPOINT_RECEIVED] = (struct action){.kind = ACTION_DELAY, .ms = 1};
    acts[FAILPOINT_RESPONDING] = (struct action){.kind = ACTION_DELAY, .ms = 0};
    pay(&one, "key");
    cr_expect_not(one.decided);
    while (!one.decided)
        loop_turn(core.loop);
    expect_answer(&one, 200, false);
    cr_expect_str_eq(events, "invoke fault effect fault ok ");
}

Test(pipeline, a_decline_comes_from_the_issuer)
{
    struct sent one;
    char code[] = "stolen_card";
    acts[FAILPOINT_RECEIVED] = (struct action){.kind = ACTION_DECLINE, .text = code};
    pay(&one, "key");
    cr_expect_not_null(strstr(one.x->reply.body, "stolen_card"));
    expect_answer(&one, 402, false);
    acts[FAILPOINT_RECEIVED] = (struct action){0};
    pay(&one, "key");
    expect_answer(&one, 402, true);
    cr_expect_str_eq(events, "invoke fault fail invoke fail ");
}

/* A source that is broken must not hang a request. */
Test(pipeline, an_action_out_of_place_passes, .init = cr_redirect_stderr)
{
    struct sent one;
    open_core();
    acts[FAILPOINT_RESPONDED] = (struct action){.kind = ACTION_DROP};
    acts[FAILPOINT_AFTER_COMMIT] = (struct action){.kind = ACTION_DECLINE};
    pay(&one, "key");
    expect_answer(&one, 200, false);
    cr_expect_str_eq(events, "invoke effect ok ");
}

Test(pipeline, an_answer_that_did_not_get_through_whole_is_unknown)
{
    struct sent one;
    pay(&one, "key");
    cr_assert(one.decided);
    pipeline_finish(one.x, false);
    cr_expect_str_eq(events, "invoke effect info ");
}

/* When the provider stops, exchanges go in the middle of whatever they wait for. */
Test(pipeline, one_that_is_freed_while_it_waits_leaves_nothing_behind)
{
    struct sent one;
    holding[FAILPOINT_AFTER_COMMIT] = true;
    pay(&one, "key");
    exchange_free(one.x);
    acts[FAILPOINT_BEFORE_COMMIT] = (struct action){.kind = ACTION_DELAY, .ms = 3600000};
    pay(&one, "another");
    exchange_free(one.x);
    cr_expect_eq(ended, 2);
}

/* The claim of a request that has gone belongs to nobody: the next one with its key is a first one.
 */
Test(pipeline, an_orphaned_claim_does_not_block_its_key)
{
    struct sent one;
    holding[FAILPOINT_BEFORE_COMMIT] = true;
    pay(&one, "key");
    exchange_free(one.x);
    pay(&one, "key");
    expect_answer(&one, 200, false);
    cr_expect_eq(charges(), 1);
}

Test(pipeline, faults_put_in_place_for_an_account_come_before_the_source)
{
    struct sent one;
    struct schedule schedule;
    struct json *json = quoted("[{'at':'received','act':{'kind':'respond','status':418}}]");
    cr_assert_eq(schedule_from_json(json, &schedule, NULL), ERR_OK);
    json_free(json);
    live_faults_put(core.live, "sk_test_1", schedule);
    pay(&one, NULL);
    expect_answer(&one, 418, false);
    cr_expect_str_eq(asked, "");
    live_faults_delete(core.live, "sk_test_1");
    pay(&one, NULL);
    expect_answer(&one, 200, false);
    cr_expect_str_neq(asked, "");
}
