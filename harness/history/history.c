#include "history.h"

#include "mem.h"

#include <stdlib.h>
#include <string.h>

#define KEY_LIFE_MS INT64_C(86400000) /* STRIPE_FACTS §1, where a history does not say */

static bool is_answer(const struct event *event)
{
    return event->kind == EVENT_OK || event->kind == EVENT_FAIL || event->kind == EVENT_INFO;
}

static void note_request(struct history *history, const struct event *event)
{
    if (event->request == 0 || !(event->kind == EVENT_INVOKE || is_answer(event)))
        return;
    struct request_place *place = request_index_at(&history->requests, event->request);
    uint64_t *seq = event->kind == EVENT_INVOKE ? &place->invoke : &place->answer;
    if (*seq == 0)
        *seq = event->seq;
}

const struct event *history_add(struct history *history, struct event event)
{
    /* A power of two has been reached: double, so that n additions cost O(n). */
    if ((history->count & (history->count - 1)) == 0)
        history->events = mem_resize(history->events, history->count == 0 ? 1 : history->count * 2,
                                     sizeof *history->events);
    event.seq = history->count + 1;
    history->events[history->count] = event;
    note_request(history, &event);
    return &history->events[history->count++];
}

void history_release(struct history *history)
{
    for (size_t i = 0; i < history->count; i++)
        event_release(&history->events[i]);
    free(history->events);
    request_index_release(&history->requests);
    *history = (struct history){0};
}

const struct event *history_next(const struct history *history, const struct event *after,
                                 enum event_kind kind, const char *order)
{
    for (size_t i = after == NULL ? 0 : after->seq; i < history->count; i++) {
        const struct event *event = &history->events[i];
        if (event->kind != kind)
            continue;
        if (order == NULL || (event->order != NULL && strcmp(event->order, order) == 0))
            return event;
    }
    return NULL;
}

size_t history_count(const struct history *history, enum event_kind kind, const char *order)
{
    size_t count = 0;
    const struct event *event = NULL;
    while ((event = history_next(history, event, kind, order)) != NULL)
        count++;
    return count;
}

const struct event *history_invoke(const struct history *history, uint64_t request)
{
    const struct request_place *place = request_index_find(&history->requests, request);
    return place == NULL || place->invoke == 0 ? NULL : &history->events[place->invoke - 1];
}

static const struct event *own_answer(const struct history *history, uint64_t request)
{
    const struct request_place *place = request_index_find(&history->requests, request);
    return place == NULL || place->answer == 0 ? NULL : &history->events[place->answer - 1];
}

static bool is_unheard(const struct event *answer)
{
    const char *how = event_string(answer, "how");
    return how != NULL && strcmp(how, "unheard") == 0;
}

const struct event *history_answer(const struct history *history, uint64_t request)
{
    const struct event *answer = own_answer(history, request);
    const struct event *invoke = NULL;
    if (answer == NULL || !is_unheard(answer))
        return answer;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, NULL)) != NULL)
        if (event_int(invoke, "copy_of", 0) == (int64_t)request)
            return own_answer(history, invoke->request);
    return answer;
}

const struct event *history_last_claim(const struct history *history, const char *order)
{
    const struct event *last = NULL;
    const struct event *claim = NULL;
    while ((claim = history_next(history, claim, EVENT_CLAIM, order)) != NULL)
        last = claim;
    return last;
}

bool history_declined(const struct history *history, const char *order)
{
    const struct event *answer = NULL;
    while ((answer = history_next(history, answer, EVENT_FAIL, order)) != NULL)
        if (event_int(answer, "status", 0) == 402 || event_string(answer, "decline_code") != NULL)
            return true;
    /* A bank says so in a 201, and whoever asks later in a 200. */
    while ((answer = history_next(history, answer, EVENT_OK, order)) != NULL)
        if (event_string(answer, "decline_code") != NULL)
            return true;
    return false;
}

static bool had_fault(const struct history *history, uint64_t request)
{
    const struct event *fault = NULL;
    while ((fault = history_next(history, fault, EVENT_FAULT, NULL)) != NULL)
        if (fault->request == request)
            return true;
    return false;
}

bool history_unauthorized(const struct history *history, const char *order)
{
    const struct event *invoke = NULL;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, order)) != NULL) {
        const struct event *answer = history_answer(history, invoke->request);
        if (answer == NULL || event_int(answer, "status", 0) != 401 ||
            had_fault(history, invoke->request))
            return false;
    }
    return history_count(history, EVENT_INVOKE, order) > 0;
}

static bool is_object(const struct event *effect, const char *object)
{
    const char *named = event_string(effect, "object");
    return named != NULL && strcmp(named, object) == 0;
}

const struct event *history_next_charge(const struct history *history, const struct event *after,
                                        const char *order)
{
    do {
        after = history_next(history, after, EVENT_EFFECT, order);
    } while (after != NULL && !is_object(after, "charge") && !is_object(after, "capture"));
    return after;
}

/* Before CLAIM; NULL: ever. */
static int64_t refunded_before(const struct history *history, const struct event *charge,
                               const struct event *claim)
{
    int64_t sum = 0;
    const char *id = event_string(charge, "id");
    const struct event *effect = NULL;
    while ((effect = history_next(history, effect, EVENT_EFFECT, NULL)) != NULL) {
        const char *of = event_string(effect, "charge");
        if (id == NULL || of == NULL || strcmp(of, id) != 0 ||
            (claim != NULL && !history_was_before(effect, claim)))
            continue;
        if (is_object(effect, "refund"))
            sum += event_int(effect, "amount", 0);
        else if (is_object(effect, "refund_reversal"))
            sum -= event_int(effect, "amount", 0);
    }
    return sum;
}

int64_t history_refunded(const struct history *history, const struct event *charge)
{
    return refunded_before(history, charge, NULL);
}

bool history_was_before(const struct event *effect, const struct event *claim)
{
    return effect->seq < claim->seq || effect->at_ms <= claim->at_ms;
}

bool history_stood(const struct history *history, const struct event *charge,
                   const struct event *claim)
{
    return refunded_before(history, charge, claim) < event_int(charge, "amount", INT64_MAX);
}

bool history_stands(const struct history *history, const struct event *charge)
{
    return history_refunded(history, charge) < event_int(charge, "amount", INT64_MAX);
}

struct json *history_to_json(const struct history *history)
{
    struct json *list = json_array();
    for (size_t i = 0; i < history->count; i++)
        json_push(list, event_to_json(&history->events[i]));
    return list;
}

enum err history_from_json(const struct json *json, struct history *history)
{
    *history = (struct history){0};
    for (const struct json *one = json_first(json); one != NULL; one = json_next(one)) {
        struct event event;
        if (event_from_json(one, &event) != ERR_OK) {
            history_release(history);
            return ERR_INVALID;
        }
        history_add(history, event);
    }
    return ERR_OK;
}

int64_t history_key_ttl_ms(const struct history *history)
{
    const struct event *up = history_next(history, NULL, EVENT_UP, NULL);
    return up == NULL ? KEY_LIFE_MS : event_int(up, "key_ttl", KEY_LIFE_MS);
}

const char *history_key_name(const struct history *history)
{
    const struct event *up = history_next(history, NULL, EVENT_UP, NULL);
    return up == NULL ? NULL : event_string(up, "key");
}
