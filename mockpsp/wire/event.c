#include "event.h"

#include "check.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {
#define EVENT_NAME(constant, name, what) name,
    EVENT_LIST(EVENT_NAME)
#undef EVENT_NAME
};

const char *event_name(enum event_kind kind)
{
    CHECK((unsigned)kind < EVENT_COUNT);
    return NAMES[kind];
}

bool event_parse_kind(const char *name, enum event_kind *kind)
{
    for (int i = 0; i < EVENT_COUNT; i++) {
        if (strcmp(NAMES[i], name) == 0) {
            *kind = (enum event_kind)i;
            return true;
        }
    }
    return false;
}

struct event event_new(enum event_kind kind, uint64_t request, int64_t at_ms)
{
    return (struct event){.kind = kind, .request = request, .at_ms = at_ms, .data = json_object()};
}

struct event event_copy(const struct event *event)
{
    struct event copy = *event;
    copy.order = mem_strdup(event->order);
    copy.data = json_copy(event->data);
    return copy;
}

void event_release(struct event *event)
{
    free(event->order);
    json_free(event->data);
    *event = (struct event){0};
}

const char *event_string(const struct event *event, const char *name)
{
    return json_get_string(event->data, name);
}

int64_t event_int(const struct event *event, const char *name, int64_t missing)
{
    return json_get_int(event->data, name, missing);
}

bool event_bool(const struct event *event, const char *name)
{
    return json_get_bool(event->data, name, false);
}

struct json *event_to_json(const struct event *event)
{
    struct json *json = json_object();
    json_set_int(json, "seq", (int64_t)event->seq);
    json_set_string(json, "kind", event_name(event->kind));
    json_set_int(json, "at", event->at_ms);
    if (event->request != 0)
        json_set_int(json, "request", (int64_t)event->request);
    json_maybe_string(json, "order", event->order);
    json_set(json, "data", json_copy(event->data));
    return json;
}

enum err event_from_json(const struct json *json, struct event *event)
{
    *event = (struct event){0};
    const char *kind = json_get_string(json, "kind");
    const struct json *data = json_get(json, "data");
    if (kind == NULL || !json_is_object(data) || !event_parse_kind(kind, &event->kind))
        return ERR_INVALID;
    event->seq = (uint64_t)json_get_int(json, "seq", 0);
    event->at_ms = json_get_int(json, "at", 0);
    event->request = (uint64_t)json_get_int(json, "request", 0);
    event->order = mem_strdup(json_get_string(json, "order"));
    event->data = json_copy(data);
    return ERR_OK;
}
