#include "forgery.h"

#include "mem.h"

#include <string.h>

static const struct {
    const char *object;
    const char *type;
    const char *status;
} SUCCESSES[] = {
    {"payment_intent", "payment_intent.succeeded", "succeeded"},
    {"charge", "charge.succeeded", "succeeded"},
    {"setup_intent", "setup_intent.succeeded", "succeeded"},
    {"checkout.session", "checkout.session.completed", "complete"},
};

void forgery_make(struct json *event)
{
    struct json *object = json_get_mutable(json_get_mutable(event, "data"), "object");
    const char *name = json_get_string(object, "object");
    for (size_t i = 0; name != NULL && i < sizeof SUCCESSES / sizeof SUCCESSES[0]; i++) {
        if (strcmp(name, SUCCESSES[i].object) != 0)
            continue;
        json_set_string(event, "type", SUCCESSES[i].type);
        json_set_string(object, "status", SUCCESSES[i].status);
        return;
    }
}

char *forgery_secret(const char *secret)
{
    return mem_printf("%s_forged", secret);
}
