#include "fields.h"

#include "check.h"
#include "customer.h"
#include "mem.h"
#include "methods.h"
#include "money.h"
#include "nesting.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define METADATA_MOST         50
#define METADATA_LONGEST_KEY  40
#define METADATA_LONGEST_TEXT 500

/* Replies 400 and is false, so that a check can end with `return refuse(…)`. Frees MESSAGE. */
static bool refuse(struct exchange *x, const char *code, const char *param, char *message)
{
    reply_error(&x->reply, (struct api_error){
                               .status = 400, .code = code, .param = param, .message = message});
    free(message);
    return false;
}

/* Characters, not bytes: the limits of STRIPE_FACTS count those. */
static size_t characters(const char *text)
{
    size_t count = 0;
    for (; *text != '\0'; text++)
        if (((unsigned char)*text & 0xc0) != 0x80)
            count++;
    return count;
}

/* ROOT is under what it was found, or NULL: nowhere. */
static bool check_nesting(struct exchange *x, const struct param *param, const char *root)
{
    switch (root == NULL ? NESTING_UNKNOWN : nesting_of(param->name, root)) {
    case NESTING_FITS:
        return true;
    case NESTING_TEXT:
        return refuse(
            x, NULL, root,
            mem_printf("Invalid %s: a single value belongs here, no hash or list.", root));
    case NESTING_UNKNOWN:
        break;
    }
    return refuse(x, "parameter_unknown", param->name,
                  mem_printf("Received unknown parameter: %.100s", param->name));
}

bool fields_only(struct exchange *x, const char *const *known)
{
    for (size_t i = 0; i < x->params.count; i++) {
        const struct param *param = &x->params.list[i];
        size_t k = 0;
        if (x->core->dialect.carrier == CARRIER_FIELD &&
            strcmp(param->name, x->core->dialect.key.text) == 0)
            continue;
        while (known[k] != NULL && !params_under(param, known[k]))
            k++;
        if (!check_nesting(x, param, known[k]))
            return false;
    }
    return true;
}

bool fields_text(struct exchange *x, const char *name, size_t longest, const char **text)
{
    const char *value = params_get(&x->params, name);
    if (value != NULL && characters(value) > longest)
        return refuse(x, NULL, name,
                      mem_printf("Invalid %s: at most %zu characters.", name, longest));
    *text = value == NULL || *value == '\0' ? NULL : value;
    return true;
}

bool fields_set_text(struct exchange *x, const char *name, size_t longest, char **text)
{
    const char *value;
    if (!fields_text(x, name, longest, &value))
        return false;
    if (params_get(&x->params, name) != NULL)
        mem_set_string(text, value);
    return true;
}

bool fields_bool(struct exchange *x, const char *name, bool *value)
{
    const char *text = params_get(&x->params, name);
    if (text == NULL)
        return true;
    /* The official Python library sends True and False. */
    if (strcasecmp(text, "true") != 0 && strcasecmp(text, "false") != 0)
        return refuse(x, NULL, name, mem_printf("Invalid boolean: %s is true or false.", name));
    *value = strcasecmp(text, "true") == 0;
    return true;
}

bool fields_int(struct exchange *x, const char *name, int64_t lowest, int64_t highest,
                int64_t *number)
{
    const char *text = params_get(&x->params, name);
    if (text == NULL)
        return true;
    if (*text == '\0')
        return refuse(x, "parameter_invalid_empty", name,
                      mem_printf("You passed an empty string for '%s'.", name));
    char *end;
    errno = 0;
    int64_t value = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0' || !isdigit((unsigned char)text[text[0] == '-']))
        return refuse(x, "parameter_invalid_integer", name,
                      mem_printf("Invalid integer: %.50s", text));
    if (value < lowest || value > highest)
        return refuse(
            x, "parameter_invalid_integer", name,
            mem_printf("Invalid %s: from %" PRId64 " to %" PRId64 ".", name, lowest, highest));
    *number = value;
    return true;
}

static bool require(struct exchange *x, const char *name)
{
    const char *value = params_get(&x->params, name);
    if (value == NULL)
        return refuse(x, "parameter_missing", name,
                      mem_printf("Missing required param: %s.", name));
    if (*value == '\0')
        return refuse(x, "parameter_invalid_empty", name,
                      mem_printf("You passed an empty string for '%s'.", name));
    return true;
}

bool fields_amount(struct exchange *x, int64_t *amount)
{
    return require(x, "amount") && fields_int(x, "amount", 1, MONEY_LARGEST, amount);
}

bool fields_currency(struct exchange *x, char **currency)
{
    if (!require(x, "currency"))
        return false;
    char *code = mem_strdup(params_get(&x->params, "currency"));
    for (char *c = code; *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    if (!money_currency_known(code)) {
        free(code);
        return refuse(x, NULL, "currency",
                      mem_printf("Invalid currency: %.20s. Use a three-letter ISO code.",
                                 params_get(&x->params, "currency")));
    }
    *currency = code;
    return true;
}

bool fields_choice(struct exchange *x, const char *name, const char *const *choices,
                   const char **choice)
{
    const char *value = params_get(&x->params, name);
    if (value == NULL || *value == '\0')
        return true;
    for (size_t i = 0; choices[i] != NULL; i++) {
        if (strcmp(choices[i], value) == 0) {
            *choice = choices[i];
            return true;
        }
    }
    struct buf known = {0};
    for (size_t i = 0; choices[i] != NULL; i++)
        buf_addf(&known, "%s%s", i == 0 ? "" : ", ", choices[i]);
    bool refused = refuse(x, NULL, name,
                          mem_printf("Invalid %s: must be one of %s.", name, buf_string(&known)));
    buf_release(&known);
    return refused;
}

bool fields_card(struct exchange *x, const char *name, const struct card **card)
{
    struct payment_method method = {0};
    bool good = methods_read(x, name, &method);
    if (good && method.card != NULL)
        *card = method.card;
    payment_method_release(&method);
    return good;
}

static bool metadata_member(struct exchange *x, const char *root, const struct param *param,
                            struct json *object)
{
    char *name = params_inner_name(param, root);
    if (name == NULL)
        return *param->value == '\0' ||
               refuse(x, NULL, root, mem_strdup("Invalid metadata: a flat hash of strings."));
    bool good = true;
    if (*name == '\0' || characters(name) > METADATA_LONGEST_KEY)
        good = refuse(x, NULL, root,
                      mem_printf("Metadata keys have 1 to %d characters.", METADATA_LONGEST_KEY));
    else if (characters(param->value) > METADATA_LONGEST_TEXT)
        good = refuse(
            x, NULL, param->name,
            mem_printf("Metadata values have at most %d characters.", METADATA_LONGEST_TEXT));
    else if (*param->value != '\0')
        json_set_string(object, name, param->value);
    free(name);
    return good;
}

bool fields_metadata_under(struct exchange *x, const char *root, char **metadata)
{
    struct json *object = json_object();
    bool good = true;
    for (size_t i = 0; i < x->params.count && good; i++)
        if (params_under(&x->params.list[i], root))
            good = metadata_member(x, root, &x->params.list[i], object);
    if (good && json_count(object) > METADATA_MOST)
        good = refuse(x, NULL, root, mem_printf("Metadata has at most %d keys.", METADATA_MOST));
    if (good)
        *metadata = json_print(object);
    json_free(object);
    return good;
}

bool fields_metadata(struct exchange *x, char **metadata)
{
    return fields_metadata_under(x, "metadata", metadata);
}

/* METADATA with the parameters laid over it; both are known to be good. */
static struct json *merged(const struct exchange *x, const char *metadata)
{
    struct json *object = NULL;
    if (params_get(&x->params, "metadata") != NULL)
        metadata = "{}";
    CHECK(json_parse(metadata, strlen(metadata), &object, NULL) == ERR_OK);
    for (size_t i = 0; i < x->params.count; i++) {
        const struct param *param = &x->params.list[i];
        char *name = params_inner_name(param, "metadata");
        if (name != NULL && *param->value == '\0')
            json_remove(object, name);
        else if (name != NULL)
            json_set_string(object, name, param->value);
        free(name);
    }
    return object;
}

bool fields_metadata_merge(struct exchange *x, char **metadata)
{
    char *given = NULL;
    if (!fields_metadata(x, &given))
        return false;
    free(given);
    struct json *object = merged(x, *metadata);
    bool good = json_count(object) <= METADATA_MOST;
    if (good) {
        free(*metadata);
        *metadata = json_print(object);
    } else {
        refuse(x, NULL, "metadata", mem_printf("Metadata has at most %d keys.", METADATA_MOST));
    }
    json_free(object);
    return good;
}

/* FORGOTTEN: whether one that a reset has taken away will do. */
static bool customer_stands(struct exchange *x, const char *customer, bool forgotten)
{
    if (customer == NULL)
        return true;
    struct customer found;
    enum err err = customer_get(x->core->store, x->attempt.account, customer, &found);
    if (err == ERR_OK && found.deleted)
        err = ERR_NOT_FOUND;
    else if (err == ERR_NOT_FOUND && forgotten)
        err = ERR_OK;
    customer_release(&found);
    if (err == ERR_NOT_FOUND)
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .code = "resource_missing",
                                                  .param = "customer",
                                                  .message = "No such customer."});
    else if (err != ERR_OK)
        fields_broken(x);
    return err == ERR_OK;
}

bool fields_customer(struct exchange *x, const char **customer)
{
    return fields_text(x, "customer", 255, customer) && customer_stands(x, *customer, false);
}

bool fields_customer_stands(struct exchange *x, const char *customer)
{
    return customer_stands(x, customer, true);
}

void fields_missing(struct exchange *x, const char *kind, const char *param, const char *id)
{
    char *message = mem_printf("No such %s: '%.100s'", kind, id);
    reply_error(&x->reply,
                (struct api_error){
                    .status = 404, .code = "resource_missing", .param = param, .message = message});
    free(message);
}

void fields_not_there(struct exchange *x, const char *kind)
{
    static const struct {
        const char *kind, *words, *param;
    } others[] = {{"payment_intent", "payment_intent", "intent"},
                  {"setup_intent", "setup_intent", "intent"},
                  {"checkout.session", "checkout.session", "session"},
                  {"webhook_endpoint", "webhook endpoint", "webhook_endpoint"},
                  {"customer", "customer", "id"},
                  {"event", "event", "id"},
                  {"balance_transaction", "balance transaction", "id"}};
    const char *words = kind, *param = kind;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        if (strcmp(others[i].kind, kind) == 0) {
            words = others[i].words;
            param = others[i].param;
        }
    }
    fields_missing(x, words, param, x->object_id);
}

void fields_broken(struct exchange *x)
{
    core_broken(x->core);
    reply_error(&x->reply,
                (struct api_error){.status = 500,
                                   .type = "api_error",
                                   .message = "The provider's database failed; nothing was done. "
                                              "Its log says why."});
}
