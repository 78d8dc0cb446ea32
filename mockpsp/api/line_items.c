#include "line_items.h"

#include "details.h"
#include "fields.h"
#include "mem.h"
#include "money.h"
#include "object_id.h"
#include "page.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#define MOST_QUANTITY INT64_C(999999)

static bool refuse(struct exchange *x, const char *code, const char *param, const char *message)
{
    reply_error(&x->reply, (struct api_error){
                               .status = 400, .code = code, .param = param, .message = message});
    return false;
}

/* --- reading ---------------------------------------------------------------------------------- */

/* What may stand behind line_items[0]; the text of the product is free. */
static bool member_known(const char *member)
{
    static const char *const known[] = {"[quantity]", "[price_data][currency]",
                                        "[price_data][unit_amount]", "[price_data][tax_behavior]"};
    static const char product[] = "[price_data][product_data][";
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
        if (strcmp(member, known[i]) == 0)
            return true;
    return strncmp(member, product, strlen(product)) == 0;
}

/* The number between the brackets that follow line_items, or -1. */
static int index_of(const struct param *param, const char **member)
{
    const char *at = param->name + strlen("line_items");
    char *end;
    if (at[0] != '[' || !isdigit((unsigned char)at[1]))
        return -1;
    long index = strtol(at + 1, &end, 10);
    *member = end + 1;
    return *end == ']' && index < LINE_ITEMS_MOST ? (int)index : -1;
}

static bool check_name(struct exchange *x, const struct param *param, bool *seen)
{
    const char *member = "";
    int index = index_of(param, &member);
    if (index >= 0 && strcmp(member, "[price]") == 0)
        return refuse(x, "resource_missing", param->name,
                      "There are no Prices here: give price_data.");
    if (index < 0 || !member_known(member))
        return refuse(
            x, "parameter_unknown", param->name,
            "Received unknown parameter in line_items: they have price_data and quantity, "
            "as in line_items[0][quantity], and there are at most 100.");
    seen[index] = true;
    return true;
}

/* How many there are, numbered from 0 without a gap. */
static bool count_items(struct exchange *x, int *count)
{
    bool seen[LINE_ITEMS_MOST] = {false};
    for (size_t i = 0; i < x->params.count; i++)
        if (params_under(&x->params.list[i], "line_items") &&
            !check_name(x, &x->params.list[i], seen))
            return false;
    *count = 0;
    while (*count < LINE_ITEMS_MOST && seen[*count])
        (*count)++;
    for (int i = *count; i < LINE_ITEMS_MOST; i++)
        if (seen[i])
            return refuse(x, NULL, "line_items", "Number line items from 0, without a gap.");
    return true;
}

static bool require(struct exchange *x, const char *name)
{
    return params_get(&x->params, name) != NULL ||
           refuse(x, "parameter_missing", name,
                  "Each line item needs a currency, a unit_amount and "
                  "a product's name in price_data, and a quantity.");
}

struct item {
    char *names[4]; /* quantity, currency, unit amount, the product's name */
    int64_t quantity, unit;
};

static const char *text(struct exchange *x, const struct item *item, int i)
{
    return params_get(&x->params, item->names[i]);
}

/* One currency for all, in lower case. */
static bool read_currency(struct exchange *x, const struct item *item, char **currency)
{
    char *code = mem_strdup(text(x, item, 1));
    for (char *c = code; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    bool good = money_currency_known(code) ||
                refuse(x, NULL, item->names[1], "Invalid currency: use a three-letter ISO code.");
    if (good && *currency != NULL && strcmp(*currency, code) != 0)
        good = refuse(x, NULL, item->names[1], "All line items have to be in one currency.");
    if (good)
        mem_set_string(currency, code);
    free(code);
    return good;
}

static struct json *render_price(const struct item *item, const char *currency)
{
    struct json *price = json_object();
    json_set_string(price, "object", "price");
    json_set_bool(price, "active", false);
    json_set_string(price, "currency", currency);
    json_set_string(price, "type", "one_time");
    json_set_int(price, "unit_amount", item->unit);
    return price;
}

static bool read_item(struct exchange *x, struct item *item, struct json *items, int64_t *amount,
                      char **currency)
{
    for (int i = 0; i < 4; i++)
        if (!require(x, item->names[i]))
            return false;
    if (!fields_int(x, item->names[0], 1, MOST_QUANTITY, &item->quantity) ||
        !read_currency(x, item, currency) ||
        !fields_int(x, item->names[2], 0, MONEY_LARGEST, &item->unit))
        return false;
    int64_t sum = item->unit * item->quantity; /* at most 10^14 */
    if (!money_add(*amount, sum, amount) || *amount > MONEY_LARGEST)
        return refuse(x, "amount_too_large", "line_items",
                      "The sum of the line items is too large.");
    struct json *json = json_object();
    json_set_string(json, "object", "item");
    json_set_int(json, "amount_discount", 0);
    json_set_int(json, "amount_subtotal", sum);
    json_set_int(json, "amount_tax", 0);
    json_set_int(json, "amount_total", sum);
    json_set_string(json, "currency", *currency);
    json_set_string(json, "description", text(x, item, 3));
    json_set(json, "price", render_price(item, *currency));
    json_set_int(json, "quantity", item->quantity);
    json_push(items, json);
    return true;
}

static bool read_number(struct exchange *x, int number, struct json *items, int64_t *amount,
                        char **currency)
{
    struct item item = {
        .names = {mem_printf("line_items[%d][quantity]", number),
                  mem_printf("line_items[%d][price_data][currency]", number),
                  mem_printf("line_items[%d][price_data][unit_amount]", number),
                  mem_printf("line_items[%d][price_data][product_data][name]", number)}};
    bool good = read_item(x, &item, items, amount, currency);
    for (int i = 0; i < 4; i++)
        free(item.names[i]);
    return good;
}

bool line_items_read(struct exchange *x, char **items, int64_t *amount, char **currency)
{
    int count = 0;
    struct json *array = json_array();
    bool good = count_items(x, &count);
    for (int i = 0; i < count && good; i++)
        good = read_number(x, i, array, amount, currency);
    if (good && count > 0 && *amount == 0)
        good = refuse(x, "amount_too_small", "line_items", "The line items cost nothing.");
    if (good && count > 0) {
        free(*items);
        *items = json_print(array);
    }
    json_free(array);
    return good;
}

/* --- as clients see them ---------------------------------------------------------------------- */

/* Ids come first, as in every object. */
void line_items_name(struct exchange *x, char **items)
{
    struct json *old = details_render(*items), *array = json_array();
    for (const struct json *item = json_first(old); item != NULL; item = json_next(item)) {
        struct json *named = json_object();
        json_set_string(named, "id", object_id_make(&x->ids, "li_").text);
        for (const struct json *part = json_first(item); part != NULL; part = json_next(part))
            json_set(named, json_name(part), json_copy(part));
        json_push(array, named);
    }
    free(*items);
    *items = json_print(array);
    json_free(old);
    json_free(array);
}

static struct json *render_list(struct json *data, const char *url, bool has_more)
{
    struct json *json = json_object();
    json_set_string(json, "object", "list");
    json_set(json, "data", data);
    json_set_bool(json, "has_more", has_more);
    json_set_string(json, "url", url);
    return json;
}

struct json *line_items_render(const char *items, const char *id)
{
    char *url = mem_printf("/v1/checkout/sessions/%s/line_items", id);
    struct json *json = render_list(details_render(items), url, false);
    free(url);
    return json;
}

/* Where in ITEMS the cursor NAME points to; -1 without a cursor, -2 after refusing. */
static int find_cursor(struct exchange *x, const struct json *items, const char *name)
{
    const char *id = params_get(&x->params, name);
    int at = 0;
    if (id == NULL)
        return -1;
    for (const struct json *item = json_first(items); item != NULL; item = json_next(item), at++)
        if (strcmp(json_get_string(item, "id"), id) == 0)
            return at;
    fields_missing(x, "item", name, id);
    x->reply.status = 400;
    return -2;
}

static void reply_range(struct exchange *x, const struct json *items, int from, int to, bool more)
{
    struct json *data = json_array();
    int at = 0;
    for (const struct json *item = json_first(items); item != NULL; item = json_next(item), at++)
        if (at >= from && at < to)
            json_push(data, json_copy(item));
    reply_object(&x->reply, 200, render_list(data, x->request.path, more));
}

void line_items_reply(struct exchange *x, const char *items)
{
    static const char *const known[] = {"limit", "starting_after", "ending_before", NULL};
    struct json *list = details_render(items);
    int64_t limit = PAGE_DEFAULT;
    int count = (int)json_count(list), after = -2, before = -2;
    if (fields_only(x, known) && fields_int(x, "limit", 1, PAGE_LARGEST, &limit)) {
        after = find_cursor(x, list, "starting_after");
        before = find_cursor(x, list, "ending_before");
    }
    if (after >= 0 && before >= 0) {
        refuse(x, NULL, "ending_before", "Give starting_after or ending_before, not both.");
    } else if (after > -2 && before >= 0) {
        int from = before > (int)limit ? before - (int)limit : 0;
        reply_range(x, list, from, before, from > 0);
    } else if (after > -2 && before == -1) {
        int to = after + 1 + (int)limit;
        reply_range(x, list, after + 1, to, to < count);
    }
    json_free(list);
}
