/* GET /v1/…/search: {object: "search_result", data, has_more, next_page, url}, newest first.
 *
 * Every object of the account is looked at, page by page, as its list has it: what a list does not
 * show yet, a search does not find. */
#include "charge.h"
#include "customer.h"
#include "expand.h"
#include "fields.h"
#include "intent.h"
#include "lag.h"
#include "mem.h"
#include "objects.h"
#include "page.h"
#include "payment_resources.h"
#include "query.h"
#include "render.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_QUERY 1000

/* What can be searched. FETCH pushes one page of a list onto BATCH. */
struct searchable {
    const char *kind;
    const struct query_field *fields;
    enum err (*fetch)(struct exchange *x, struct page *page, struct json *batch);
};

static const struct query_field INTENT_FIELDS[] = {
    {"amount", QUERY_NUMBER},     {"created", QUERY_NUMBER}, {"currency", QUERY_WORD},
    {"customer", QUERY_WORD},     {"status", QUERY_WORD},    {"description", QUERY_TEXT},
    {"metadata", QUERY_METADATA}, {NULL, QUERY_WORD},
};

static const struct query_field CHARGE_FIELDS[] = {
    {"amount", QUERY_NUMBER},       {"created", QUERY_NUMBER},    {"currency", QUERY_WORD},
    {"customer", QUERY_WORD},       {"status", QUERY_WORD},       {"disputed", QUERY_WORD},
    {"refunded", QUERY_WORD},       {"captured", QUERY_WORD},     {"description", QUERY_TEXT},
    {"payment_intent", QUERY_WORD}, {"metadata", QUERY_METADATA}, {NULL, QUERY_WORD},
};

static const struct query_field CUSTOMER_FIELDS[] = {
    {"created", QUERY_NUMBER}, {"email", QUERY_TEXT},        {"name", QUERY_TEXT},
    {"phone", QUERY_TEXT},     {"metadata", QUERY_METADATA}, {"description", QUERY_TEXT},
    {NULL, QUERY_WORD},
};

/* --- the lists -------------------------------------------------------------------------------- */

static enum err fetch_intents(struct exchange *x, struct page *page, struct json *batch)
{
    struct intent list[PAGE_LARGEST + 1];
    const struct intent_filter all = {0};
    int count = 0;
    enum err err = intent_list(x->core->store, x->attempt.account, &all, page, list, &count);
    int shown = page_close(page, count);
    for (int i = 0; i < count; i++) {
        if (i < shown)
            json_push(batch, render_intent(&list[i]));
        intent_release(&list[i]);
    }
    return err;
}

static enum err fetch_charges(struct exchange *x, struct page *page, struct json *batch)
{
    struct charge list[PAGE_LARGEST + 1];
    const struct charge_filter all = {0};
    int count = 0;
    enum err err = charge_list(x->core->store, x->attempt.account, &all, page, list, &count);
    int shown = page_close(page, count);
    for (int i = 0; i < count; i++) {
        if (i < shown)
            json_push(batch, render_charge(&list[i]));
        charge_release(&list[i]);
    }
    return err;
}

static enum err fetch_customers(struct exchange *x, struct page *page, struct json *batch)
{
    struct customer list[PAGE_LARGEST + 1];
    const struct customer_filter all = {0};
    int count = 0;
    enum err err = customer_list(x->core->store, x->attempt.account, &all, page, list, &count);
    int shown = page_close(page, count);
    for (int i = 0; i < count; i++) {
        if (i < shown)
            json_push(batch, render_customer(&list[i]));
        customer_release(&list[i]);
    }
    return err;
}

/* --- the walk --------------------------------------------------------------------------------- */

/* Found so far. */
struct hunt {
    const struct query *query;
    struct json *data;
    int64_t limit;
    bool has_more; /* one more than the limit was there */
};

static enum err take(struct exchange *x, struct hunt *hunt, const struct json *found)
{
    if ((int64_t)json_count(hunt->data) == hunt->limit) {
        hunt->has_more = true;
        return ERR_OK;
    }
    struct json *object = json_copy(found);
    json_push(hunt->data, object);
    return expand_apply(x, object, true);
}

static enum err sift(struct exchange *x, struct hunt *hunt, const struct json *batch)
{
    enum err err = ERR_OK;
    for (const struct json *one = json_first(batch); one != NULL; one = json_next(one)) {
        if (query_matches(hunt->query, one))
            err = take(x, hunt, one);
        if (err != ERR_OK || hunt->has_more)
            break;
    }
    return err;
}

static const char *last_id(const struct json *list)
{
    const char *id = NULL;
    for (const struct json *one = json_first(list); one != NULL; one = json_next(one))
        id = json_get_string(one, "id");
    return id;
}

/* Starts behind AFTER, an id, or at the newest (NULL). */
static enum err walk(struct exchange *x, const struct searchable *what, const char *after,
                     struct hunt *hunt)
{
    char *cursor = mem_strdup(after);
    enum err err;
    struct page page;
    do {
        struct json *batch = json_array();
        page = (struct page){.limit = PAGE_LARGEST, .starting_after = cursor};
        lag_limit_page(x, &page);
        err = what->fetch(x, &page, batch);
        if (err == ERR_OK)
            err = sift(x, hunt, batch);
        mem_set_string(&cursor, last_id(batch));
        json_free(batch);
    } while (err == ERR_OK && page.has_more && !hunt->has_more);
    free(cursor);
    return err;
}

/* --- the request ------------------------------------------------------------------------------ */

/* A next_page is the id of the last object before it. */
static bool read_page(struct exchange *x, const struct searchable *what, const char **after)
{
    struct json *object = NULL;
    if (!fields_text(x, "page", 255, after))
        return false;
    if (*after == NULL)
        return true;
    enum err err = objects_render(x, *after, &object);
    bool good = err == ERR_OK && strcmp(json_get_string(object, "object"), what->kind) == 0;
    json_free(object);
    if (good)
        return true;
    if (err != ERR_OK && err != ERR_NOT_FOUND)
        fields_broken(x);
    else
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .param = "page",
                                                  .message = "Invalid page: give the next_page "
                                                             "of an earlier answer."});
    return false;
}

static bool read_query(struct exchange *x, const struct searchable *what, struct query *query)
{
    struct err_text why;
    const char *text = params_get(&x->params, "query");
    if (text == NULL)
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .code = "parameter_missing",
                                                  .param = "query",
                                                  .message = "Missing required param: query."});
    else if (fields_text(x, "query", LONGEST_QUERY, &text) &&
             query_parse(text == NULL ? "" : text, what->fields, query, &why) != ERR_OK)
        reply_error(&x->reply,
                    (struct api_error){.status = 400, .param = "query", .message = why.text});
    return !reply_decided(&x->reply);
}

static void reply_found(struct exchange *x, struct hunt *hunt)
{
    struct json *json = json_object();
    json_set_string(json, "object", "search_result");
    json_set_bool(json, "has_more", hunt->has_more);
    json_set_string(json, "next_page", hunt->has_more ? last_id(hunt->data) : NULL);
    json_set_string(json, "url", x->request.path);
    json_set(json, "data", hunt->data);
    reply_object(&x->reply, 200, json);
}

static enum err search(struct exchange *x, const struct searchable *what)
{
    static const char *const known[] = {"query", "limit", "page", "expand", NULL};
    struct query query = {0};
    struct hunt hunt = {.query = &query, .limit = PAGE_DEFAULT};
    const char *after = NULL;
    if (!fields_only(x, known) || !expand_check(x, what->kind, true) ||
        !fields_int(x, "limit", 1, PAGE_LARGEST, &hunt.limit) || !read_page(x, what, &after) ||
        !read_query(x, what, &query))
        return ERR_OK;
    hunt.data = json_array();
    enum err err = walk(x, what, after, &hunt);
    if (err == ERR_OK)
        reply_found(x, &hunt);
    else
        json_free(hunt.data);
    query_release(&query);
    return err;
}

enum err payment_intents_search(struct exchange *x)
{
    return search(x, &(struct searchable){"payment_intent", INTENT_FIELDS, fetch_intents});
}

enum err charges_search(struct exchange *x)
{
    return search(x, &(struct searchable){"charge", CHARGE_FIELDS, fetch_charges});
}

enum err customers_search(struct exchange *x)
{
    return search(x, &(struct searchable){"customer", CUSTOMER_FIELDS, fetch_customers});
}
