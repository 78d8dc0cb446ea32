#include "trace.h"

#include "mem.h"

#include <stdlib.h>
#include <string.h>

static bool same(const char *a, const char *b)
{
    return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

static const struct probe *first_of(const struct trace *trace, uint64_t request)
{
    for (size_t i = 0; i < trace->count; i++)
        if (trace->items[i].request == request)
            return &trace->items[i];
    return NULL;
}

static bool is_there(const struct trace *trace, uint64_t request, enum failpoint at)
{
    for (size_t i = trace->count; i > 0; i--)
        if (trace->items[i - 1].request == request && trace->items[i - 1].at == at)
            return true;
    return false;
}

/* Its place among those of its order on its route, and that of its key among theirs. */
static void count(const struct trace *trace, struct probe *probe)
{
    int generations = 0;
    probe->attempt = 1;
    for (size_t i = 0; i < trace->count; i++) {
        const struct probe *other = &trace->items[i];
        if (!failpoint_is_first(other->at) || !same(other->order, probe->order) ||
            !same(other->on, probe->on))
            continue;
        probe->attempt++;
        if (probe->key != NULL && same(other->key, probe->key))
            probe->generation = other->generation;
        if (other->generation > generations)
            generations = other->generation;
    }
    if (probe->key != NULL && probe->generation == 0)
        probe->generation = generations + 1;
}

void trace_add(struct trace *trace, const struct attempt *attempt, enum failpoint at)
{
    if (is_there(trace, attempt->number, at))
        return;
    struct probe probe = {
        .request = attempt->number,
        .at = at,
        .order = mem_strdup(attempt->order),
        .on = mem_strdup(at == FAILPOINT_WEBHOOK ? attempt->event_type : attempt->route),
        .pays = attempt->pays,
        .asks_issuer = attempt->asks_issuer,
        .key = mem_strdup(at == FAILPOINT_WEBHOOK ? NULL : attempt->key)};
    const struct probe *first = first_of(trace, attempt->number);
    if (first == NULL) {
        count(trace, &probe);
    } else {
        probe.attempt = first->attempt;
        probe.generation = first->generation;
    }
    trace->items = mem_resize(trace->items, trace->count + 1, sizeof *trace->items);
    trace->items[trace->count++] = probe;
}

struct json *trace_to_json(const struct trace *trace)
{
    struct json *list = json_array();
    for (size_t i = 0; i < trace->count; i++) {
        const struct probe *probe = &trace->items[i];
        struct json *json = json_object();
        json_set_int(json, "request", (int64_t)probe->request);
        json_set_string(json, "at", failpoint_name(probe->at));
        json_maybe_string(json, "order", probe->order);
        json_maybe_string(json, "on", probe->on);
        json_set_bool(json, "pays", probe->pays);
        json_set_bool(json, "asks_issuer", probe->asks_issuer);
        json_set_int(json, "attempt", probe->attempt);
        json_set_int(json, "generation", probe->generation);
        json_push(list, json);
    }
    return list;
}

enum err trace_from_json(const struct json *json, struct trace *trace)
{
    *trace = (struct trace){0};
    for (const struct json *one = json_first(json); one != NULL; one = json_next(one)) {
        const char *at = json_get_string(one, "at");
        struct probe probe = {0};
        if (at == NULL || !failpoint_parse(at, &probe.at)) {
            trace_release(trace);
            return ERR_INVALID;
        }
        probe.request = (uint64_t)json_get_int(one, "request", 0);
        probe.order = mem_strdup(json_get_string(one, "order"));
        probe.on = mem_strdup(json_get_string(one, "on"));
        probe.pays = json_get_bool(one, "pays", false);
        probe.asks_issuer = json_get_bool(one, "asks_issuer", false);
        probe.attempt = (int)json_get_int(one, "attempt", 0);
        probe.generation = (int)json_get_int(one, "generation", 0);
        trace->items = mem_resize(trace->items, trace->count + 1, sizeof *trace->items);
        trace->items[trace->count++] = probe;
    }
    return ERR_OK;
}

void trace_release(struct trace *trace)
{
    for (size_t i = 0; i < trace->count; i++) {
        free(trace->items[i].order);
        free(trace->items[i].on);
        free(trace->items[i].key);
    }
    free(trace->items);
    *trace = (struct trace){0};
}
