#include "attempt.h"

#include "mem.h"

#include <stdlib.h>

struct json *attempt_to_json(const struct attempt *attempt)
{
    struct json *json = json_object();
    json_set_int(json, "number", (int64_t)attempt->number);
    json_set_string(json, "request_id", attempt->request_id);
    json_set_string(json, "account", attempt->account);
    json_set_string(json, "method", attempt->method);
    json_set_string(json, "path", attempt->path);
    json_maybe_string(json, "route", attempt->route);
    json_maybe_string(json, "key", attempt->key);
    json_maybe_string(json, "ignored", attempt->ignored);
    json_maybe_string(json, "fingerprint", attempt->fingerprint);
    json_maybe_string(json, "order", attempt->order);
    if (attempt->pays)
        json_set_bool(json, "pays", true);
    if (attempt->live_key)
        json_set_bool(json, "live_key", true);
    if (attempt->asks_issuer)
        json_set_bool(json, "asks_issuer", true);
    if (attempt->amount >= 0)
        json_set_int(json, "amount", attempt->amount);
    json_maybe_string(json, "currency", attempt->currency);
    if (attempt->copy_of != 0)
        json_set_int(json, "copy_of", (int64_t)attempt->copy_of);
    json_set_int(json, "connection", (int64_t)attempt->connection);
    json_set_int(json, "on_connection", (int64_t)attempt->on_connection);
    json_set(json, "params", attempt->params == NULL ? json_object() : json_copy(attempt->params));
    if (attempt->event == NULL)
        return json;
    json_set_string(json, "event", attempt->event);
    json_set_string(json, "event_type", attempt->event_type);
    json_set_string(json, "endpoint", attempt->endpoint);
    json_set_int(json, "delivery_attempt", attempt->delivery_attempt);
    return json;
}

enum err attempt_from_json(const struct json *json, struct attempt *attempt)
{
    *attempt = (struct attempt){0};
    int64_t number = json_get_int(json, "number", 0);
    if (number < 1 || json_get_string(json, "method") == NULL ||
        json_get_string(json, "path") == NULL)
        return ERR_INVALID;
    attempt->number = (uint64_t)number;
    attempt->request_id = mem_strdup(json_get_string(json, "request_id"));
    attempt->account = mem_strdup(json_get_string(json, "account"));
    attempt->method = mem_strdup(json_get_string(json, "method"));
    attempt->path = mem_strdup(json_get_string(json, "path"));
    attempt->route = mem_strdup(json_get_string(json, "route"));
    attempt->key = mem_strdup(json_get_string(json, "key"));
    attempt->ignored = mem_strdup(json_get_string(json, "ignored"));
    attempt->fingerprint = mem_strdup(json_get_string(json, "fingerprint"));
    attempt->order = mem_strdup(json_get_string(json, "order"));
    attempt->pays = json_get_bool(json, "pays", false);
    attempt->live_key = json_get_bool(json, "live_key", false);
    attempt->asks_issuer = json_get_bool(json, "asks_issuer", false);
    attempt->amount = json_get_int(json, "amount", -1);
    attempt->currency = mem_strdup(json_get_string(json, "currency"));
    attempt->copy_of = (uint64_t)json_get_int(json, "copy_of", 0);
    attempt->connection = (uint64_t)json_get_int(json, "connection", 0);
    attempt->on_connection = (uint64_t)json_get_int(json, "on_connection", 0);
    attempt->params = json_copy(json_get(json, "params"));
    attempt->event = mem_strdup(json_get_string(json, "event"));
    attempt->event_type = mem_strdup(json_get_string(json, "event_type"));
    attempt->endpoint = mem_strdup(json_get_string(json, "endpoint"));
    attempt->delivery_attempt = json_get_int(json, "delivery_attempt", 0);
    return ERR_OK;
}

void attempt_release(struct attempt *attempt)
{
    free(attempt->request_id);
    free(attempt->account);
    free(attempt->method);
    free(attempt->path);
    free(attempt->route);
    free(attempt->key);
    free(attempt->ignored);
    free(attempt->fingerprint);
    free(attempt->order);
    free(attempt->currency);
    free(attempt->event);
    free(attempt->event_type);
    free(attempt->endpoint);
    json_free(attempt->params);
    *attempt = (struct attempt){0};
}
