#include "expand.h"

#include "check.h"
#include "mem.h"
#include "objects.h"

#include <stdlib.h>
#include <string.h>

/* Which fields of which kind hold the id of another object, and of what kind that is. */
static const struct link {
    const char *kind;
    const char *field;
    const char *target;
} LINKS[] = {
    {"payment_intent", "latest_charge", "charge"},
    {"payment_intent", "customer", "customer"},
    {"payment_intent", "payment_method", "payment_method"},
    {"charge", "payment_intent", "payment_intent"},
    {"charge", "customer", "customer"},
    {"charge", "balance_transaction", "balance_transaction"},
    {"payment_method", "customer", "customer"},
    {"setup_intent", "customer", "customer"},
    {"checkout.session", "customer", "customer"},
    {"checkout.session", "line_items", "item"}, /* checkout_sessions.c puts them in */
    {"checkout.session", "payment_intent", "payment_intent"},
    {"checkout.session", "setup_intent", "setup_intent"},
    {"setup_intent", "payment_method", "payment_method"},
    {"customer", "default_source", "payment_method"},
    {"customer", "invoice_settings", "invoice_settings"}, /* a hash on the way */
    {"invoice_settings", "default_payment_method", "payment_method"},
    {"charge", "dispute", "dispute"},
    {"dispute", "charge", "charge"},
    {"dispute", "payment_intent", "payment_intent"},
    {"refund", "charge", "charge"},
    {"refund", "balance_transaction", "balance_transaction"},
    {"refund", "payment_intent", "payment_intent"},
    /* It may be another kind; this is the one whose fields can be expanded further. */
    {"balance_transaction", "source", "charge"},
};

static const struct link *find_link(const char *kind, const char *field, size_t length)
{
    for (size_t i = 0; i < sizeof LINKS / sizeof LINKS[0]; i++)
        if (strcmp(LINKS[i].kind, kind) == 0 && strlen(LINKS[i].field) == length &&
            strncmp(LINKS[i].field, field, length) == 0)
            return &LINKS[i];
    return NULL;
}

/* The path without "data." in lists; NULL when it has to be there and is not. */
static const char *strip(const char *path, bool list)
{
    if (!list)
        return path;
    return strncmp(path, "data.", 5) == 0 ? path + 5 : NULL;
}

static bool path_is_good(const char *path, const char *kind)
{
    for (int level = 0; path != NULL && level < EXPAND_DEEPEST; level++) {
        size_t length = strcspn(path, ".");
        const struct link *link = find_link(kind, path, length);
        if (link == NULL)
            return false;
        if (path[length] == '\0')
            return true;
        kind = link->target;
        path += length + 1;
    }
    return false;
}

bool expand_check(struct exchange *x, const char *kind, bool list)
{
    for (size_t i = 0; i < x->params.count; i++) {
        const struct param *param = &x->params.list[i];
        if (!params_under(param, "expand") || path_is_good(strip(param->value, list), kind))
            continue;
        char *message = mem_printf("This property cannot be expanded (%.100s).", param->value);
        reply_error(&x->reply,
                    (struct api_error){.status = 400, .param = "expand", .message = message});
        free(message);
        return false;
    }
    return true;
}

static enum err expand_path(struct exchange *x, struct json *object, const char *path)
{
    while (path != NULL) {
        size_t length = strcspn(path, ".");
        char *field = mem_strndup(path, length);
        const char *id = json_get_string(object, field);
        enum err err = ERR_OK;
        if (id != NULL) {
            struct json *target;
            err = objects_render(x, id, &target);
            if (err == ERR_OK)
                json_set(object, field, target);
            else if (err == ERR_NOT_FOUND)
                err = ERR_OK; /* forgotten by a reset: the id is all there is to show */
        }
        /* What an earlier path has expanded already is an object by now. */
        object = json_get_mutable(object, field);
        free(field);
        if (err != ERR_OK)
            return err;
        path = json_is_object(object) && path[length] == '.' ? path + length + 1 : NULL;
    }
    return ERR_OK;
}

enum err expand_apply(struct exchange *x, struct json *object, bool list)
{
    for (size_t i = 0; i < x->params.count; i++) {
        if (!params_under(&x->params.list[i], "expand"))
            continue;
        const char *path = strip(x->params.list[i].value, list);
        CHECK(path != NULL);
        enum err err = expand_path(x, object, path);
        if (err != ERR_OK)
            return err;
    }
    return ERR_OK;
}
