/* /v1/checkout/sessions */
#include "checkout.h"
#include "details.h"
#include "expand.h"
#include "fields.h"
#include "lag.h"
#include "line_items.h"
#include "listing.h"
#include "mem.h"
#include "object_id.h"
#include "objects.h"
#include "people_resources.h"
#include "settle.h"

#include <stdlib.h>
#include <string.h>

#define LIFE_S       INT64_C(86400) /* unless expires_at says otherwise */
#define SHORTEST_S   INT64_C(1800)
#define LONGEST_URL  5000
#define LONGEST_MAIL 800

static void free_plan(void *plan)
{
    checkout_session_release(plan);
    free(plan);
}

static struct checkout_session *new_plan(struct exchange *x)
{
    x->plan = mem_alloc(sizeof(struct checkout_session));
    x->free_plan = free_plan;
    return x->plan;
}

static bool refuse(struct exchange *x, const char *code, const char *param, const char *message)
{
    reply_error(&x->reply, (struct api_error){
                               .status = 400, .code = code, .param = param, .message = message});
    return false;
}

/* --- create ----------------------------------------------------------------------------------- */

static bool read_mode(struct exchange *x, struct checkout_session *session)
{
    static const char *const modes[] = {"payment", "setup", NULL};
    static const char *const faces[] = {"hosted", NULL};
    const char *mode = NULL, *unused = NULL;
    if (!fields_choice(x, "mode", modes, &mode) || !fields_choice(x, "ui_mode", faces, &unused))
        return false;
    session->setup = mode != NULL && strcmp(mode, "setup") == 0;
    return mode != NULL ||
           refuse(x, "parameter_missing", "mode", "Say what it is for: mode=payment, or setup.");
}

/* One member of payment_intent_data or setup_intent_data, such as "[description]"; metadata is read
 * as that of every object. */
static bool read_word(struct exchange *x, const struct param *param, const char *member,
                      struct json *words)
{
    static const struct {
        const char *name;
        size_t longest;
    } known[] = {{"description", 1000},
                 {"receipt_email", 512},
                 {"setup_future_usage", 20},
                 {"capture_method", 20}};
    const char *text = NULL;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        size_t length = strlen(known[i].name);
        if (member[0] != '[' || strncmp(member + 1, known[i].name, length) != 0 ||
            strcmp(member + 1 + length, "]") != 0)
            continue;
        if (!fields_text(x, param->name, known[i].longest, &text))
            return false;
        if (text != NULL)
            json_set_string(words, known[i].name, text);
        return true;
    }
    return refuse(x, "parameter_unknown", param->name,
                  "Of its intent, metadata, description, receipt_email, capture_method and "
                  "setup_future_usage can be given here.");
}

/* All of them, into WORDS. */
static bool read_words_under(struct exchange *x, const char *root, struct json *words)
{
    char *under = mem_printf("%s[metadata]", root), *metadata = NULL;
    bool good = fields_metadata_under(x, under, &metadata);
    if (good)
        json_set(words, "metadata", details_render(metadata));
    for (size_t i = 0; i < x->params.count && good; i++) {
        const struct param *param = &x->params.list[i];
        if (params_under(param, root) && !params_under(param, under))
            good = read_word(x, param, param->name + strlen(root), words);
    }
    free(metadata);
    free(under);
    return good;
}

static bool names(const struct exchange *x, const char *root)
{
    for (size_t i = 0; i < x->params.count; i++)
        if (params_under(&x->params.list[i], root))
            return true;
    return false;
}

static bool has_text(const struct json *array, const char *text)
{
    for (const struct json *one = json_first(array); one != NULL; one = json_next(one))
        if (strcmp(json_as_string(one), text) == 0)
            return true;
    return false;
}

/* A bank cannot be asked in two steps. */
static bool read_method_type(struct exchange *x, const struct param *param, struct json *types)
{
    const char *capture = params_get(&x->params, "payment_intent_data[capture_method]");
    bool bank = strcmp(param->value, "us_bank_account") == 0;
    if (!bank && strcmp(param->value, "card") != 0)
        return refuse(x, NULL, param->name,
                      "Invalid payment method type: there are card and us_bank_account.");
    if (bank && capture != NULL && strcmp(capture, "manual") == 0)
        return refuse(x, NULL, param->name,
                      "A bank account cannot be paid from in two steps: leave "
                      "payment_intent_data[capture_method] at automatic.");
    if (!has_text(types, param->value))
        json_push(types, json_string(param->value));
    return true;
}

/* What can be paid with: cards, unless something is said. */
static bool read_method_types(struct exchange *x, struct checkout_session *session)
{
    struct json *types = json_array();
    bool good = true;
    for (size_t i = 0; i < x->params.count && good; i++)
        if (params_under(&x->params.list[i], "payment_method_types"))
            good = read_method_type(x, &x->params.list[i], types);
    if (json_count(types) == 0)
        json_push(types, json_string("card"));
    session->method_types = json_print(types);
    json_free(types);
    return good;
}

static bool read_intent_words(struct exchange *x, struct checkout_session *session)
{
    const char *root = session->setup ? "setup_intent_data" : "payment_intent_data";
    const char *other = session->setup ? "payment_intent_data" : "setup_intent_data";
    if (names(x, other))
        return refuse(x, NULL, other,
                      session->setup ? "There is no PaymentIntent in mode setup."
                                     : "There is no SetupIntent in mode payment.");
    static const char *const usages[] = {"off_session", "on_session", NULL};
    static const char *const captures[] = {"automatic", "automatic_async", "manual", NULL};
    const char *unused = NULL;
    if (!fields_choice(x, "payment_intent_data[setup_future_usage]", usages, &unused) ||
        !fields_choice(x, "payment_intent_data[capture_method]", captures, &unused))
        return false;
    struct json *words = json_object();
    bool good = read_words_under(x, root, words);
    if (good)
        session->intent_words = json_print(words);
    json_free(words);
    return good;
}

/* To name it once more beside the items is allowed, another one is not. */
static bool check_currency(struct exchange *x, const char *of_items)
{
    char *said = NULL;
    if (params_get(&x->params, "currency") == NULL)
        return true;
    bool good = fields_currency(x, &said) &&
                (strcmp(said, of_items) == 0 ||
                 refuse(x, NULL, "currency", "The line items are in another currency."));
    free(said);
    return good;
}

static bool read_goods(struct exchange *x, struct checkout_session *session)
{
    session->items = mem_strdup("[]");
    if (!line_items_read(x, &session->items, &session->amount, &session->currency))
        return false;
    if (session->setup && session->amount > 0)
        return refuse(x, NULL, "line_items", "Nothing is sold in mode setup.");
    if (session->setup)
        return params_get(&x->params, "currency") == NULL || fields_currency(x, &session->currency);
    if (session->amount == 0)
        return refuse(x, "parameter_missing", "line_items",
                      "Say what is sold: line_items[0][price_data][…].");
    return check_currency(x, session->currency);
}

static bool read_person(struct exchange *x, struct checkout_session *session)
{
    const char *customer = NULL;
    if (!fields_customer(x, &customer) ||
        !fields_set_text(x, "customer_email", LONGEST_MAIL, &session->customer_email))
        return false;
    if (customer != NULL && session->customer_email != NULL)
        return refuse(x, NULL, "customer_email", "Give customer or customer_email, not both.");
    session->customer = mem_strdup(customer);
    return true;
}

static bool read_words(struct exchange *x, struct checkout_session *session)
{
    if (!fields_set_text(x, "client_reference_id", 200, &session->reference) ||
        !fields_set_text(x, "success_url", LONGEST_URL, &session->success_url) ||
        !fields_set_text(x, "cancel_url", LONGEST_URL, &session->cancel_url) ||
        !fields_metadata(x, &session->metadata))
        return false;
    return session->success_url != NULL ||
           refuse(x, "parameter_missing", "success_url", "Say where the customer goes afterwards.");
}

static bool read_expiry(struct exchange *x, struct checkout_session *session)
{
    int64_t now = clock_now_s(x->core->clock);
    session->expires = now + LIFE_S;
    return fields_int(x, "expires_at", now + SHORTEST_S, now + LIFE_S, &session->expires);
}

void checkout_sessions_check_create(struct exchange *x)
{
    static const char *const known[] = {"mode",
                                        "line_items",
                                        "success_url",
                                        "cancel_url",
                                        "client_reference_id",
                                        "customer",
                                        "customer_email",
                                        "customer_creation",
                                        "currency",
                                        "metadata",
                                        "payment_intent_data",
                                        "setup_intent_data",
                                        "payment_method_types",
                                        "expires_at",
                                        "locale",
                                        "submit_type",
                                        "billing_address_collection",
                                        "phone_number_collection",
                                        "allow_promotion_codes",
                                        "automatic_tax",
                                        "consent_collection",
                                        "custom_text",
                                        "customer_update",
                                        "invoice_creation",
                                        "payment_method_options",
                                        "saved_payment_method_options",
                                        "shipping_address_collection",
                                        "tax_id_collection",
                                        "ui_mode",
                                        "expand",
                                        NULL};
    struct checkout_session *session = new_plan(x);
    if (fields_only(x, known) && read_mode(x, session) && read_goods(x, session) &&
        read_words(x, session) && read_person(x, session) && read_method_types(x, session) &&
        read_intent_words(x, session) && read_expiry(x, session))
        expand_check(x, "checkout.session", false);
}

/* expand[]=line_items: they are shown only to those who ask. */
static void add_items(struct exchange *x, const struct checkout_session *session, struct json *json)
{
    for (size_t i = 0; i < x->params.count; i++)
        if (params_under(&x->params.list[i], "expand") &&
            strcmp(x->params.list[i].value, "line_items") == 0)
            json_set(json, "line_items", line_items_render(session->items, session->id));
}

static enum err reply_session(struct exchange *x, const struct checkout_session *session)
{
    struct json *json = checkout_render(session);
    enum err err = expand_apply(x, json, false);
    add_items(x, session, json);
    reply_object(&x->reply, 200, json);
    return err;
}

enum err checkout_sessions_create(struct exchange *x)
{
    struct checkout_session *session = x->plan;
    if (!fields_customer_stands(x, session->customer))
        return ERR_OK;
    mem_set_string(&session->id, object_id_make(&x->ids, "cs_test_").text);
    session->created = clock_now_s(x->core->clock);
    line_items_name(x, &session->items);
    enum err err = checkout_session_insert(x->core->store, x->attempt.account, session);
    if (err == ERR_OK)
        settle_expect(x->core, session->expires * 1000);
    return err == ERR_OK ? reply_session(x, session) : err;
}

/* --- the one of the path ---------------------------------------------------------------------- */

static bool load(struct exchange *x, struct checkout_session *session)
{
    checkout_session_release(session);
    enum err err = checkout_session_get(x->core->store, x->attempt.account, x->object_id, session);
    if (err == ERR_NOT_FOUND)
        fields_not_there(x, "checkout.session");
    else if (err != ERR_OK)
        fields_broken(x);
    return err == ERR_OK;
}

static enum err change(struct exchange *x,
                       enum err (*how)(struct exchange *x, struct checkout_session *session))
{
    struct checkout_session session = {0};
    enum err err = load(x, &session) ? how(x, &session) : ERR_OK;
    if (err == ERR_OK && !reply_decided(&x->reply))
        err = reply_session(x, &session);
    checkout_session_release(&session);
    return err;
}

void checkout_sessions_check_expire(struct exchange *x)
{
    static const char *const known[] = {"expand", NULL};
    if (fields_only(x, known) && expand_check(x, "checkout.session", false))
        load(x, new_plan(x));
}

static enum err expire(struct exchange *x, struct checkout_session *session)
{
    struct cause cause;
    cause_request(&cause, x);
    if (session->status == CHECKOUT_OPEN)
        return checkout_expire(&cause, session);
    char *message = mem_printf("Only open Checkout Sessions can be expired; this one is %s.",
                               checkout_status_name(session->status));
    refuse(x, NULL, NULL, message);
    free(message);
    return ERR_OK;
}

enum err checkout_sessions_expire(struct exchange *x)
{
    return change(x, expire);
}

void checkout_sessions_check_update(struct exchange *x)
{
    static const char *const known[] = {"metadata", "expand", NULL};
    struct checkout_session *session = new_plan(x);
    if (fields_only(x, known) && expand_check(x, "checkout.session", false) && load(x, session))
        fields_metadata_merge(x, &session->metadata);
}

static enum err update(struct exchange *x, struct checkout_session *session)
{
    if (!fields_metadata_merge(x, &session->metadata))
        return ERR_OK;
    return checkout_session_update(x->core->store, session);
}

enum err checkout_sessions_update(struct exchange *x)
{
    return change(x, update);
}

static enum err show(struct exchange *x, struct checkout_session *session)
{
    if (lag_hides(x, session->id, session->created))
        fields_not_there(x, "checkout.session");
    return ERR_OK;
}

enum err checkout_sessions_retrieve(struct exchange *x)
{
    static const char *const known[] = {"expand", NULL};
    if (!fields_only(x, known) || !expand_check(x, "checkout.session", false))
        return ERR_OK;
    return change(x, show);
}

static enum err show_items(struct exchange *x, struct checkout_session *session)
{
    enum err err = show(x, session);
    if (!reply_decided(&x->reply))
        line_items_reply(x, session->items);
    return err;
}

enum err checkout_sessions_line_items(struct exchange *x)
{
    return change(x, show_items);
}

/* --- the list --------------------------------------------------------------------------------- */

static struct json *item(const void *session)
{
    return checkout_render(session);
}

static void release(void *session)
{
    checkout_session_release(session);
}

/* They are in no list of sessions; to be silent about that would be a lie. */
static bool names_items(struct exchange *x)
{
    for (size_t i = 0; i < x->params.count; i++)
        if (params_under(&x->params.list[i], "expand") &&
            strcmp(x->params.list[i].value, "data.line_items") == 0)
            return !refuse(x, NULL, "expand", "Line items cannot be expanded in a list.");
    return false;
}

static enum err fetch(struct exchange *x, struct page *page, void *list, int *count)
{
    static const char *const statuses[] = {"open", "complete", "expired", NULL};
    struct checkout_session_filter filter = {0};
    if (names_items(x) || !fields_text(x, "customer", 255, &filter.customer) ||
        !fields_text(x, "payment_intent", 255, &filter.payment_intent) ||
        !fields_choice(x, "status", statuses, &filter.status))
        return ERR_OK;
    return checkout_session_list(x->core->store, x->attempt.account, &filter, page, list, count);
}

enum err checkout_sessions_list(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "checkout.session",
                                             .filters = {"customer", "payment_intent", "status"},
                                             .size = sizeof(struct checkout_session),
                                             .fetch = fetch,
                                             .item = item,
                                             .release = release});
}
