#include "intent_shown.h"

#include "details.h"
#include "fields.h"
#include "mem.h"
#include "nesting.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_DESCRIPTOR 22

static const char TYPES[] = "payment_method_types";
static const char AUTOMATIC[] = "automatic_payment_methods";

static bool refuse(struct exchange *x, const char *param, char *message)
{
    reply_error(&x->reply, (struct api_error){.status = 400, .param = param, .message = message});
    free(message);
    return false;
}

static bool names(const struct exchange *x, const char *root)
{
    for (size_t i = 0; i < x->params.count; i++)
        if (params_under(&x->params.list[i], root))
            return true;
    return false;
}

bool intent_shown_read_types(struct exchange *x, struct json *types)
{
    for (size_t i = 0; i < x->params.count; i++) {
        const struct param *param = &x->params.list[i];
        if (!params_under(param, TYPES) || strcmp(param->name, TYPES) == 0)
            continue;
        if (!nesting_is_method_type(param->value))
            return refuse(x, param->name,
                          mem_printf("The payment method type %.40s is invalid.", param->value));
        json_push(types, json_string(param->value));
    }
    return true;
}

static bool read_types(struct exchange *x, struct json *shown)
{
    if (!names(x, TYPES))
        return true;
    if (names(x, AUTOMATIC))
        return refuse(x, TYPES, mem_printf("Give %s or %s, not both.", AUTOMATIC, TYPES));
    struct json *types = json_array();
    bool good = intent_shown_read_types(x, types);
    if (good && json_count(types) > 0)
        json_set(shown, TYPES, types);
    else
        json_free(types);
    return good;
}

static bool read_automatic(struct exchange *x, struct json *shown)
{
    static const char *const redirects[] = {"always", "never", NULL};
    const char *allow = NULL;
    bool enabled = false;
    if (!names(x, AUTOMATIC))
        return true;
    if (!fields_bool(x, "automatic_payment_methods[enabled]", &enabled) ||
        !fields_choice(x, "automatic_payment_methods[allow_redirects]", redirects, &allow))
        return false;
    struct json *json = json_object();
    json_set_string(json, "allow_redirects", allow == NULL ? "always" : allow);
    json_set_bool(json, "enabled", enabled);
    json_set(shown, AUTOMATIC, json);
    return true;
}

static bool read_text(struct exchange *x, const char *name, struct json *shown)
{
    const char *text = NULL;
    if (!fields_text(x, name, LONGEST_DESCRIPTOR, &text))
        return false;
    if (params_get(&x->params, name) != NULL)
        json_set_string(shown, name, text);
    return true;
}

static bool read_shipping(struct exchange *x, struct json *shown)
{
    const struct json *before = json_get(shown, "shipping");
    char *text = json_is_object(before) ? json_print(before) : NULL;
    bool good = details_merge(x, "shipping", DETAILS_SHIPPING, &text);
    if (good && names(x, "shipping"))
        json_set(shown, "shipping", details_render(text));
    free(text);
    return good;
}

static struct json *shown_of(const struct intent *intent)
{
    return intent->shown == NULL ? json_object() : details_render(intent->shown);
}

bool intent_shown_read(struct exchange *x, struct intent *intent)
{
    struct json *shown = shown_of(intent);
    bool good = read_types(x, shown) && read_automatic(x, shown) && read_shipping(x, shown) &&
                read_text(x, "statement_descriptor", shown) &&
                read_text(x, "statement_descriptor_suffix", shown);
    if (good) {
        free(intent->shown);
        intent->shown = json_print(shown);
    }
    json_free(shown);
    return good;
}

static bool holds(const struct json *types, const char *type)
{
    for (const struct json *one = json_first(types); one != NULL; one = json_next(one))
        if (strcmp(json_as_string(one), type) == 0)
            return true;
    return false;
}

bool intent_shown_takes(struct exchange *x, const struct intent *intent, const struct card *card)
{
    struct json *shown = shown_of(intent);
    const struct json *types = json_get(shown, TYPES);
    bool fits = card == NULL || types == NULL || holds(types, card_type(card));
    json_free(shown);
    return fits || refuse(x, "payment_method",
                          mem_printf("A payment method of type %s is not allowed here: it is none "
                                     "of the payment_method_types.",
                                     card_type(card)));
}

void intent_shown_render(const struct intent *intent, struct json *json)
{
    static const char *const members[] = {AUTOMATIC, TYPES, "shipping", "statement_descriptor",
                                          "statement_descriptor_suffix"};
    struct json *shown = shown_of(intent);
    for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
        const struct json *value = json_get(shown, members[i]);
        if (value != NULL)
            json_set(json, members[i], json_copy(value));
        else if (json_get(json, members[i]) == NULL)
            json_set_null(json, members[i]);
    }
    json_free(shown);
}
