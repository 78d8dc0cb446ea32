/* A history for tests, written down event by event: past_charge(&past, …) and so on. */
#ifndef PAST_H
#define PAST_H

#include "history.h"
#include "mem.h"
#include "order.h"

struct past {
    struct history history;
    struct orders orders;
    int64_t now_ms; /* of the next event */
};

/* One order, "order_1" of 4217 usd, and an empty history. */
static inline struct past past_new(void)
{
    struct past past = {.now_ms = INT64_C(1767225600000)};
    orders_add(&past.orders, "order_1", 4217, "usd");
    return past;
}

static inline void past_release(struct past *past)
{
    history_release(&past->history);
    orders_release(&past->orders);
}

/* An event without data; the caller fills it before the next one is added. */
static inline struct json *past_add(struct past *past, enum event_kind kind, uint64_t request,
                                    const char *order)
{
    struct event event = event_new(kind, request, past->now_ms++);
    event.order = mem_strdup(order);
    struct json *data = event.data;
    history_add(&past->history, event);
    return data;
}

static inline void past_invoke(struct past *past, uint64_t request, const char *order,
                               const char *key, const char *fingerprint)
{
    struct json *data = past_add(past, EVENT_INVOKE, request, order);
    json_set_string(data, "account", "sk_test_a");
    json_set_string(data, "method", "POST");
    json_set_string(data, "path", "/v1/payment_intents");
    json_set_string(data, "route", "POST /v1/payment_intents");
    json_set_bool(data, "pays", true);
    json_maybe_string(data, "key", key);
    json_maybe_string(data, "fingerprint", fingerprint);
    json_set_int(data, "amount", 4217);
    json_set_string(data, "currency", "usd");
}

static inline void past_charge_of(struct past *past, uint64_t request, const char *order,
                                  const char *id, int64_t amount, const char *currency)
{
    struct json *data = past_add(past, EVENT_EFFECT, request, order);
    json_set_string(data, "object", "charge");
    json_set_string(data, "id", id);
    json_set_int(data, "amount", amount);
    json_set_string(data, "currency", currency);
    json_set_string(data, "payment_intent", "pi_1");
}

static inline void past_charge(struct past *past, uint64_t request, const char *id)
{
    past_charge_of(past, request, "order_1", id, 4217, "usd");
}

static inline void past_capture(struct past *past, uint64_t request, const char *charge,
                                int64_t amount)
{
    struct json *data = past_add(past, EVENT_EFFECT, request, "order_1");
    json_set_string(data, "object", "capture");
    json_set_string(data, "id", charge);
    json_set_int(data, "amount", amount);
    json_set_string(data, "currency", "usd");
    json_set_string(data, "payment_intent", "pi_1");
    json_set_string(data, "charge", charge);
}

/* OBJECT: "refund", or "refund_reversal". */
static inline void past_refund_as(struct past *past, const char *object, const char *charge,
                                  int64_t amount)
{
    struct json *data = past_add(past, EVENT_EFFECT, 0, "order_1");
    json_set_string(data, "object", object);
    json_set_string(data, "id", "re_1");
    json_set_string(data, "charge", charge);
    json_set_int(data, "amount", amount);
    json_set_string(data, "currency", "usd");
}

static inline void past_refund(struct past *past, const char *charge, int64_t amount)
{
    past_refund_as(past, "refund", charge, amount);
}

static inline void past_answer(struct past *past, enum event_kind kind, uint64_t request,
                               int64_t status, const char *type)
{
    struct json *data = past_add(past, kind, request, "order_1");
    json_set_int(data, "status", status);
    json_maybe_string(data, "type", type);
}

static inline void past_claim(struct past *past, const char *outcome, const char *payment)
{
    struct json *data = past_add(past, EVENT_CLAIM, 0, "order_1");
    json_set_string(data, "outcome", outcome);
    json_maybe_string(data, "payment", payment);
}

static inline void past_heal(struct past *past)
{
    past_add(past, EVENT_HEAL, 0, NULL);
}

#endif
