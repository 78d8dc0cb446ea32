/* Whatever is asked for, in whatever order, with whatever goes wrong on the way: the books balance,
 * they say what the journal says, nothing takes a move that is not in its table, and the provider
 * never breaks. Random requests through the whole request path, good and bad ones.
 *
 * The seed is printed. PSP_SEED=N repeats a run, PSP_OPERATIONS=N makes it longer or shorter. */
#include "books.h"
#include "checkout.h"
#include "disputes.h"
#include "endpoint.h"
#include "in_process.h"
#include "notice.h"
#include "posting.h"
#include "settle.h"
#include "watched.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* The sanitizers take five times as long. */
#ifdef __SANITIZE_ADDRESS__
#define OPERATIONS 20000
#else
#define OPERATIONS 100000
#endif

#define AUDIT_EVERY  1000
#define FORGET_EVERY 5000 /* so that an audit has not to read through everything that ever was */

static struct in_process psp;
static struct rng dice;

static bool chance(uint64_t one_in)
{
    return rng_below(&dice, one_in) == 0;
}

/* --- what is known ---------------------------------------------------------------------------- */

static void look_at_everything(void)
{
    for (size_t k = 0; k < KINDS; k++)
        for (size_t i = 0; i < POOL; i++)
            watched_look_at(k, &pools[k].list[i]);
}

static void meet_answer(const struct in_call *call)
{
    static const char *const members[] = {"id", "latest_charge", "charge", "dispute",
                                          "payment_intent"};
    struct json *json = NULL;
    const char *body = call->x->reply.body;
    if (body == NULL || json_parse(body, strlen(body), &json, NULL) != ERR_OK)
        return;
    const struct json *error = json_get(json, "error");
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++)
        watched_meet(json_get_string(json, members[i]));
    watched_meet(json_get_string(error, "charge"));
    watched_meet(json_get_string(json_get(error, "payment_intent"), "id"));
    json_free(json);
}

/* --- what the journal says -------------------------------------------------------------------- */

#define CURRENCIES_MOST 8

static struct {
    char currency[8];
    int64_t sum;
} told[CURRENCIES_MOST];

static int64_t sign_of(const char *object)
{
    static const char *const gains[] = {"charge", "capture", "dispute_reversal", "refund_reversal"};
    static const char *const losses[] = {"refund", "dispute"};
    for (size_t i = 0; i < sizeof gains / sizeof gains[0]; i++)
        if (strcmp(gains[i], object) == 0)
            return 1;
    for (size_t i = 0; i < sizeof losses / sizeof losses[0]; i++)
        if (strcmp(losses[i], object) == 0)
            return -1;
    cr_assert_fail("an effect of an unknown kind: %s", object);
    return 0;
}

static void hear(void *context, const struct event *event)
{
    (void)context;
    if (event->kind != EVENT_EFFECT)
        return;
    const char *currency = event_string(event, "currency");
    size_t i = 0;
    while (i < CURRENCIES_MOST && told[i].currency[0] != '\0' &&
           strcmp(told[i].currency, currency) != 0)
        i++;
    cr_assert_lt(i, (size_t)CURRENCIES_MOST);
    snprintf(told[i].currency, sizeof told[i].currency, "%s", currency);
    told[i].sum += sign_of(event_string(event, "object")) * event_int(event, "amount", 0);
}

static int64_t in_book(const char *book, const char *currency)
{
    int64_t sum = 0;
    cr_assert_eq(posting_balance(psp.core.store, "sk_test_1", book, currency, &sum), ERR_OK);
    return sum;
}

static void audit(void)
{
    int64_t wrong = -1;
    cr_assert_eq(posting_audit(psp.core.store, &wrong), ERR_OK);
    cr_assert_eq(wrong, 0, "%" PRId64 " things are wrong in the books", wrong);
    for (size_t i = 0; i < CURRENCIES_MOST && told[i].currency[0] != '\0'; i++) {
        int64_t held = in_book(BOOK_MERCHANT, told[i].currency);
        cr_assert_eq(held, told[i].sum, "%s: the books have %" PRId64 ", the journal %" PRId64,
                     told[i].currency, held, told[i].sum);
        cr_assert_eq(held + in_book(BOOK_CARDS, told[i].currency), 0);
    }
}

/* --- what goes wrong -------------------------------------------------------------------------- */

static void ask(void *self, const struct attempt *attempt, enum failpoint at, fault_answer *answer,
                void *context)
{
    static const enum action_kind acts[] = {ACTION_DROP, ACTION_RESET, ACTION_HANG, ACTION_RESPOND,
                                            ACTION_DECLINE};
    struct action action = {0};
    char code[] = "lost_card";
    (void)self;
    (void)attempt;
    if (chance(100)) {
        enum action_kind kind = acts[rng_below(&dice, sizeof acts / sizeof acts[0])];
        if (action_allowed(kind, at))
            action = (struct action){.kind = kind, .status = 503, .store = chance(2), .text = code};
    }
    answer(context, &action);
}

static void end(void *self, const struct attempt *attempt)
{
    (void)self;
    (void)attempt;
}

static const struct fault_source_ops OPS = {.ask = ask, .end = end};

/* --- what is asked for ------------------------------------------------------------------------ */

/* %a an amount, %c a currency, %m a payment method, %t a token, %b a boolean, %w how to capture,
 * %e evidence, %n a small number, %q a quantity, other letters an id; what is in braces comes along
 * now and then.
 */
static const struct ask {
    int weight;
    const char *method;
    const char *path;
    const char *form;
} ASKS[] = {
    {6, "POST", "/v1/payment_intents",
     "amount=%a&currency=%c{&confirm=%b}{&payment_method=%m}{&capture_method=%w}{&customer=%k}"
     "{&metadata[order_id]=o%n}{&off_session=%b}"},
    {1, "POST", "/v1/payment_intents/%p",
     "metadata[a]=%n{&amount=%a}{&currency=%c}{&payment_method=%m}{&customer=%k}"},
    {5, "POST", "/v1/payment_intents/%p/confirm", "expand[]=latest_charge{&payment_method=%m}"},
    {4, "POST", "/v1/payment_intents/%p/capture", "expand[]=customer{&amount_to_capture=%a}"},
    {2, "POST", "/v1/payment_intents/%p/cancel", ""},
    {6, "POST", "/v1/charges",
     "amount=%a&currency=%c{&source=%t}{&capture=%b}{&customer=%k}{&description=%n}"},
    {1, "POST", "/v1/charges/%h", "description=%n{&metadata[a]=%n}"},
    {3, "POST", "/v1/charges/%h/capture", "expand[]=balance_transaction{&amount=%a}"},
    {2, "POST", "/v1/charges/%h/refunds", "reason=duplicate{&amount=%a}"},
    {5, "POST", "/v1/refunds", "charge=%h{&amount=%a}"},
    {3, "POST", "/v1/refunds", "payment_intent=%p{&amount=%a}"},
    {1, "POST", "/v1/refunds/%r", "metadata[a]=%n"},
    {2, "POST", "/v1/refunds/%r/cancel", ""},
    {3, "POST", "/v1/disputes/%u", "evidence[uncategorized_text]=%e{&submit=%b}"},
    {1, "POST", "/v1/disputes/%u/close", ""},
    {1, "POST", "/v1/customers", "email=a%n@b.test{&payment_method=%m}"},
    {1, "POST", "/v1/customers/%k", "metadata[a]=%n{&default_source=%y}"},
    {1, "DELETE", "/v1/customers/%k", NULL},
    {1, "POST", "/v1/payment_methods", "type=card&card[token]=%t"},
    {1, "POST", "/v1/payment_methods/%y/attach", "customer=%k"},
    {1, "POST", "/v1/payment_methods/%y/detach", ""},
    {1, "POST", "/v1/setup_intents", "usage=off_session{&confirm=%b}{&payment_method=%m}"},
    {1, "POST", "/v1/setup_intents/%s/confirm", "expand[]=customer{&payment_method=%m}"},
    {1, "POST", "/v1/setup_intents/%s/cancel", ""},
    {2, "POST", "/v1/checkout/sessions",
     "mode=payment&success_url=https://a.test/&line_items[0][quantity]=%q"
     "&line_items[0][price_data][currency]=%c&line_items[0][price_data][unit_amount]=%a"
     "&line_items[0][price_data][product_data][name]=a{&customer=%k}"},
    {1, "POST", "/v1/checkout/sessions/%x/expire", ""},
    {3, "POST", "/payments", "amount=%a&currency=%c{&operation_id=op%n}{&card=%m}"},
    {1, "POST", "/payments/%h/refunds", "amount=%a"},
    {1, "GET", "/v1/payment_intents/%p?expand[]=latest_charge.balance_transaction", NULL},
    {1, "GET", "/v1/charges?limit=3&customer=%k", NULL},
    {1, "GET", "/v1/balance_transactions?limit=%n", NULL},
    {1, "GET", "/v1/disputes?limit=2", NULL},
    {1, "GET", "/v1/events?limit=2", NULL},
    {1, "GET", "/v1/charges/search?query=amount%%3E%n", NULL},
};

#define ASK_COUNT (sizeof ASKS / sizeof ASKS[0])

static const char *one_of(const char *const *texts, size_t count)
{
    return texts[rng_below(&dice, count)];
}

#define ONE_OF(...)                                                                                \
    one_of((const char *const[]){__VA_ARGS__},                                                     \
           sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *))

static const char *some_amount(void)
{
    static char text[24];
    if (chance(20))
        return ONE_OF("0", "-1", "100000000", "9223372036854775808", "1.5", "x", "");
    snprintf(text, sizeof text, "%" PRIu64, 1 + rng_below(&dice, chance(10) ? 99999999 : 40));
    return text;
}

static const char *some_method(void)
{
    return ONE_OF("pm_card_visa", "pm_card_visa", "pm_card_mastercard", "pm_card_chargeDeclined",
                  "pm_card_authenticationRequired", "pm_card_createDispute",
                  "pm_card_pendingRefund", "pm_card_refundFail", "pm_usBankAccount_success",
                  "pm_usBankAccount_insufficientFunds", "pm_usBankAccount_processing", "pm_none",
                  "");
}

static const char *some_id(char letter)
{
    size_t k = 0;
    while (k < KINDS && kinds[k].letter != letter)
        k++;
    if (chance(20))
        k = rng_below(&dice, KINDS); /* the wrong kind */
    cr_assert_lt(k, KINDS, "%%%c", letter);
    size_t known = pools[k].seen < POOL ? pools[k].seen : POOL;
    const char *id = known == 0 ? "" : pools[k].list[rng_below(&dice, known)].id;
    return *id == '\0' ? "none_1" : id;
}

static const char *some(char letter)
{
    static char number[8];
    switch (letter) {
    case 'a':
        return some_amount();
    case 'c':
        return chance(20) ? ONE_OF("xxx", "us", "") : ONE_OF("usd", "usd", "USD", "jpy", "eur");
    case 'm':
        return chance(8) ? some_id('y') : some_method();
    case 't':
        return ONE_OF("tok_visa", "tok_visa", "tok_chargeDeclined", "tok_createDispute",
                      "tok_pendingRefund", "tok_refundFail", "tok_no");
    case 'b':
        return chance(20) ? "maybe" : ONE_OF("true", "true", "false");
    case 'w':
        return chance(20) ? "never" : ONE_OF("automatic", "manual");
    case 'e':
        return ONE_OF("winning_evidence", "losing_evidence", "a letter", "");
    case 'q':
        return ONE_OF("1", "1", "2", "99", "0", "9999999");
    case 'n':
        snprintf(number, sizeof number, "%d", (int)rng_below(&dice, 50));
        return number;
    default:
        return some_id(letter);
    }
}

static char *fill(const char *template)
{
    struct buf text = {0};
    for (const char *c = template; c != NULL && *c != '\0'; c++) {
        if (*c == '%' && *++c != '%')
            buf_add_string(&text, some(*c));
        else if (*c == '{' && chance(2))
            c = strchr(c, '}');
        else if (*c != '{' && *c != '}')
            buf_add_char(&text, *c);
    }
    return buf_take(&text);
}

static const struct ask *some_ask(void)
{
    uint64_t sum = 0, i = 0;
    for (size_t k = 0; k < ASK_COUNT; k++)
        sum += (uint64_t)ASKS[k].weight;
    uint64_t pick = rng_below(&dice, sum);
    while (pick >= (uint64_t)ASKS[i].weight)
        pick -= (uint64_t)ASKS[i++].weight;
    return &ASKS[i];
}

static uint64_t answers[600]; /* by status; [0]: none */

/* What is sent; now and then once more, as a client does that got no answer. */
static struct {
    const struct ask *what;
    char *path, *form;
    char key[16];
} sent;

static uint64_t worked[ASK_COUNT];

static void make_up_request(void)
{
    const struct ask *what = some_ask();
    free(sent.path);
    free(sent.form);
    sent.what = what;
    sent.path = fill(what->path);
    sent.form = fill(what->form);
    snprintf(sent.key, sizeof sent.key, "key_%d", (int)rng_below(&dice, 3000));
}

/* 503 is what the faults answer; a 500 would be a failure of the provider itself. */
static void check_status(const struct in_call *call)
{
    static const int good[] = {0, 200, 201, 202, 400, 402, 404, 409, 422, 503};
    int status = call->x->reply.status;
    bool known = false;
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++)
        known = known || status == good[i];
    cr_assert(known, "%s %s: %d %s", sent.path, sent.form, status, call->x->reply.body);
    answers[status]++;
    worked[sent.what - ASKS] += status >= 200 && status < 300;
}

static void request_something(void)
{
    struct in_call call;
    if (sent.path == NULL || !chance(8))
        make_up_request();
    in_call_start(&psp, &call, sent.what->method, sent.path, sent.form,
                  chance(4) ? NULL : sent.key);
    cr_assert(call.decided, "%s %s: nothing was decided", sent.path, sent.form);
    check_status(&call);
    watched_meet(call.x->object_id);
    meet_answer(&call);
    in_call_end(&call);
}

static void let_time_pass(void)
{
    int64_t ms =
        chance(20) ? INT64_C(90000000) * (chance(4) ? 7 : 1) : (int64_t)rng_below(&dice, 60000);
    cr_assert_eq(clock_advance(&psp.clock, ms), ERR_OK);
    settle_due(&psp.core);
}

/* What customers and banks do. */
static void complete_something(void)
{
    struct json *object = NULL;
    enum err err;
    if (chance(2))
        err = settle_complete(&psp.core, NULL, some_id('p'), chance(2), &object);
    else if (chance(2))
        err = disputes_decide(&psp.core, NULL, some_id('u'), chance(2), &object);
    else
        err = checkout_complete(&psp.core, NULL, some_id('x'),
                                card_find(chance(4) ? "tok_chargeDeclined" : "tok_visa"), &object);
    cr_assert(err == ERR_OK || err == ERR_NOT_FOUND || err == ERR_INVALID, "%s", err_name(err));
    json_free(object);
}

/* --- the test --------------------------------------------------------------------------------- */

static void forget_everything(void)
{
    struct core *core = &psp.core;
    cr_assert_eq(store_begin(core->store), ERR_OK);
    cr_assert_eq(books_reset(core->store, NULL), ERR_OK);
    cr_assert_eq(notice_reset(core->store, NULL), ERR_OK);
    cr_assert_eq(endpoint_reset(core->store, NULL), ERR_OK);
    cr_assert_eq(key_reset(core->store, NULL), ERR_OK);
    cr_assert_eq(journal_reset(core->journal, NULL), ERR_OK);
    cr_assert_eq(journal_commit(core->journal), ERR_OK);
    memset(told, 0, sizeof told);
    for (size_t k = 0; k < KINDS; k++) {
        memset(pools[k].list, 0, sizeof pools[k].list);
        pools[k].seen = 0;
    }
}

/* Another provider's rules of idempotency, but for those that refuse every request without a key.
 */
static void change_dialect(void)
{
    do
        psp.core.dialect = *dialect_number((int)rng_below(&dice, 12));
    while (psp.core.dialect.required);
}

static uint64_t number_from(const char *name, uint64_t missing)
{
    const char *text = getenv(name);
    return text == NULL ? missing : strtoull(text, NULL, 10);
}

static void do_something(uint64_t number)
{
    if (chance(200))
        let_time_pass();
    else if (chance(40))
        complete_something();
    else
        request_something();
    if (number % 100 == 0)
        look_at_everything();
    if (number % AUDIT_EVERY == 0)
        audit();
    if (number % FORGET_EVERY == 0) {
        forget_everything();
        change_dialect();
    }
}

Test(property, the_books_balance_whatever_happens)
{
    uint64_t seed = number_from("PSP_SEED", (uint64_t)clock_monotonic_us());
    uint64_t operations = number_from("PSP_OPERATIONS", OPERATIONS);
    fprintf(stderr, "PSP_SEED=%" PRIu64 " PSP_OPERATIONS=%" PRIu64 "\n", seed, operations);
    rng_init(&dice, seed);
    in_process_open(&psp, (struct fault_source){.ops = &OPS});
    in_process_listen(&psp, hear, NULL);
    watched_store = psp.core.store;
    for (size_t k = 0; k < KINDS; k++)
        watched_find_ways(&kinds[k], &pools[k]);
    for (uint64_t number = 1; number <= operations; number++)
        do_something(number);
    audit();
    settle_stop(&psp.core);
    in_process_close(&psp);
    free(sent.path);
    free(sent.form);
    for (int status = 0; status < 600; status++)
        if (answers[status] > 0)
            fprintf(stderr, "%d: %" PRIu64 "\n", status, answers[status]);
    for (size_t i = 0; i < ASK_COUNT && operations >= 20000; i++)
        cr_expect_gt(worked[i], 0, "%s %s never works: is it asked for as it should be?",
                     ASKS[i].method, ASKS[i].path);
}
