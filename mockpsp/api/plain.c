#include "plain.h"

#include "charge.h"
#include "check.h"
#include "fields.h"
#include "lag.h"
#include "mem.h"
#include "render.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static bool under(const char *path, const char *root)
{
    size_t length = strlen(root);
    return strncmp(path, root, length) == 0 && (path[length] == '\0' || path[length] == '/');
}

bool plain_path(const char *path)
{
    return under(path, "/payments") || under(path, "/oauth");
}

char *plain_order(const struct exchange *x)
{
    struct plain_payment payment = {0};
    char *order = NULL;
    struct store *store = x->core->store;
    const char *account = x->attempt.account;
    if (x->object_id == NULL)
        return NULL;
    /* When the database fails, that is found out when the request is executed. */
    enum err err = under(x->request.path, "/payments/operations")
                       ? plain_payment_of_operation(store, account, x->object_id, &payment)
                       : plain_payment_get(store, account, x->object_id, &payment);
    if (err == ERR_OK)
        order = mem_strdup(payment.charge.order);
    plain_payment_release(&payment);
    return order;
}

char *plain_time(int64_t seconds)
{
    char text[32];
    struct tm utc;
    time_t time = (time_t)seconds;
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&time, &utc));
    return mem_strdup(text);
}

static void set_time(struct json *json, const char *name, int64_t seconds)
{
    char *text = plain_time(seconds);
    json_set_string(json, name, text);
    free(text);
}

/* ISO 4217 writes it in capitals. */
static void set_currency(struct json *json, const char *currency)
{
    char code[4] = "";
    for (size_t i = 0; i < 3 && currency[i] != '\0'; i++)
        code[i] = (char)toupper((unsigned char)currency[i]);
    json_set_string(json, "currency", code);
}

static struct json *parse_metadata(const char *text)
{
    struct json *json;
    CHECK(json_parse(text, strlen(text), &json, NULL) == ERR_OK); /* we wrote it */
    return json;
}

static struct json *render_method(const struct card *card)
{
    struct json *json = json_object();
    json_set_string(json, "type", card_type(card));
    json_set_string(json, "brand", card->brand);
    json_set_string(json, "last4", card_last4(card));
    return json;
}

static void add_failure(struct json *json, const char *decline_code)
{
    json_set_string(json, "decline_code", decline_code);
    json_set_string(json, "failure_message",
                    decline_code == NULL ? NULL : render_decline_message(decline_code));
}

static const char *status_of(const struct charge *charge)
{
    if (charge->state == CHARGE_PENDING)
        return "PROCESSING";
    return charge_paid(charge) ? "SUCCESS" : "FAILED";
}

struct json *plain_render_payment(const struct plain_payment *payment)
{
    const struct charge *charge = &payment->charge;
    struct json *json = json_object();
    json_set_string(json, "id", charge->id);
    json_set_string(json, "object", "payment");
    json_set_string(json, "status", status_of(charge));
    json_set_int(json, "amount", charge->amount);
    json_set_int(json, "amount_refunded", charge->refunded);
    set_currency(json, charge->currency);
    json_set_string(json, "operation_id", payment->operation);
    json_set_string(json, "reference", payment->reference);
    json_set_string(json, "description", charge->description);
    json_set(json, "payment_method", render_method(charge->card));
    json_set(json, "metadata", parse_metadata(charge->metadata));
    add_failure(json, charge->decline_code);
    set_time(json, "created_at", charge->created);
    return json;
}

/* One that was canceled has given nothing back either. */
static const char *refund_status_of(const struct refund *refund)
{
    if (refund->state == REFUND_PENDING)
        return "PROCESSING";
    return refund->state == REFUND_SUCCEEDED ? "SUCCESS" : "FAILED";
}

struct json *plain_render_refund(const struct refund *refund)
{
    struct json *json = json_object();
    json_set_string(json, "id", refund->id);
    json_set_string(json, "object", "refund");
    json_set_string(json, "status", refund_status_of(refund));
    json_set_int(json, "amount", refund->amount);
    set_currency(json, refund->currency);
    json_set_string(json, "payment_id", refund->charge);
    json_set_string(json, "reason", refund->reason);
    json_set(json, "metadata", parse_metadata(refund->metadata));
    set_time(json, "created_at", refund->created);
    return json;
}

/* A cursor that names nothing would give an empty page, which reads as "the end". */
bool plain_page(struct exchange *x, const char *kind,
                enum err (*find)(struct exchange *x, const char *id), struct page *page)
{
    int64_t limit = PAGE_DEFAULT;
    *page = (struct page){0};
    lag_limit_page(x, page);
    if (!fields_int(x, "limit", 1, PAGE_LARGEST, &limit) ||
        !fields_text(x, "cursor", 255, &page->starting_after))
        return false;
    page->limit = (int)limit;
    if (page->starting_after == NULL)
        return true;
    enum err err = find(x, page->starting_after);
    if (err == ERR_NOT_FOUND) {
        fields_missing(x, kind, "cursor", page->starting_after);
        x->reply.status = 400;
    } else if (err != ERR_OK) {
        fields_broken(x);
    }
    return err == ERR_OK;
}

void plain_reply_list(struct exchange *x, const struct page *page, const void *list, int shown,
                      struct json *(*item)(const void *list, int i))
{
    struct json *data = json_array();
    char *last = NULL;
    for (int i = 0; i < shown; i++) {
        struct json *one = item(list, i);
        mem_set_string(&last, json_get_string(one, "id"));
        json_push(data, one);
    }
    struct json *json = json_object();
    json_set(json, "data", data);
    json_set_string(json, "next_cursor", page->has_more ? last : NULL);
    reply_object(&x->reply, 200, json);
    free(last);
}
