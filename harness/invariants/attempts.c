#include "attempts.h"

#include <string.h>

static bool makes_payment(const struct event *invoke)
{
    const char *route = event_string(invoke, "route");
    return event_bool(invoke, "pays") && event_int(invoke, "copy_of", 0) == 0 &&
           (route == NULL || strchr(route, '{') == NULL);
}

const struct event *attempts_next(const struct history *history, const struct event *after,
                                  const char *order)
{
    do {
        after = history_next(history, after, EVENT_INVOKE, order);
    } while (after != NULL && !makes_payment(after));
    return after;
}

const char *attempts_key(const struct event *invoke)
{
    const char *key = event_string(invoke, "key");
    return key != NULL ? key : json_get_string(json_get(invoke->data, "params"), "operation_id");
}

bool attempts_between(const struct history *history, enum event_kind kind, const char *order,
                      const struct event *a, const struct event *b)
{
    const struct event *next = history_next(history, a, kind, order);
    return next != NULL && next->seq < b->seq;
}

/* Nothing that these tell says whether an order was paid. */
static bool tells_of_payments(const char *path)
{
    static const char *const others[] = {"/v1/webhook_endpoints", "/v1/customers",
                                         "/v1/payment_methods",   "/v1/setup_intents",
                                         "/v1/balance",           "/v1/account"};
    for (size_t i = 0; path != NULL && i < sizeof others / sizeof others[0]; i++) {
        size_t length = strlen(others[i]);
        if (strncmp(path, others[i], length) == 0 && (path[length] == '\0' || path[length] == '/'))
            return false;
    }
    return path != NULL;
}

static bool is_question(const struct history *history, const struct event *invoke)
{
    const char *method = event_string(invoke, "method");
    const struct event *answer = history_answer(history, invoke->request);
    return method != NULL && strcmp(method, "GET") == 0 &&
           tells_of_payments(event_string(invoke, "path")) && answer != NULL &&
           answer->kind == EVENT_OK;
}

bool attempts_asked(const struct history *history, const struct event *a, const struct event *b)
{
    const struct event *invoke = a;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, NULL)) != NULL &&
           invoke->seq < b->seq)
        if ((invoke->order == NULL || b->order == NULL || strcmp(invoke->order, b->order) == 0) &&
            is_question(history, invoke))
            return true;
    return false;
}

size_t attempts_run(const struct history *history, const char *order, const struct event *event)
{
    size_t runs = 0;
    const struct event *start = NULL;
    while ((start = history_next(history, start, EVENT_START, order)) != NULL)
        runs += start->seq < event->seq;
    return runs;
}

size_t attempts_clients(const struct history *history, const char *order, const struct event *event)
{
    size_t alive = 0;
    const struct event *other = NULL;
    while ((other = history_next(history, other, EVENT_START, order)) != NULL)
        alive += other->seq < event->seq;
    while ((other = history_next(history, other, EVENT_EXIT, order)) != NULL)
        alive -= other->seq < event->seq && alive > 0;
    return alive;
}

bool attempts_is_unknown(const struct event *answer)
{
    return answer == NULL || answer->kind == EVENT_INFO ||
           (answer->kind == EVENT_FAIL && event_int(answer, "status", 0) == 409);
}
