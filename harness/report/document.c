#include "document.h"

static struct json *all_invariants(const struct result *result)
{
    struct json *list = findings_to_json(&result->findings);
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        if (findings_of(&result->findings, (enum invariant)i) != NULL)
            continue;
        /* A run that could not be judged holds nothing. */
        bool judged = result->verdict < VERDICT_BROKEN && result->history.count > 0;
        struct json *one = json_object();
        json_set_string(one, "invariant", invariant_name((enum invariant)i));
        json_set_string(one, "severity", severity_name(invariant_severity((enum invariant)i)));
        json_set_string(one, "result", judged ? "holds" : "cannot tell");
        json_push(list, one);
    }
    return list;
}

static struct json *all_claims(const struct result *result)
{
    struct json *list = json_array();
    for (size_t i = 0; i < result->orders.count; i++) {
        const char *order = result->orders.items[i].id;
        const struct event *claim = history_last_claim(&result->history, order);
        struct json *one = json_object();
        json_set_string(one, "order", order);
        json_set_string(one, "outcome", claim == NULL ? NULL : event_string(claim, "outcome"));
        json_maybe_string(one, "payment", claim == NULL ? NULL : event_string(claim, "payment"));
        json_push(list, one);
    }
    return list;
}

static struct json *all_charges(const struct result *result)
{
    struct json *list = json_array();
    const struct event *charge = NULL;
    while ((charge = history_next_charge(&result->history, charge, NULL)) != NULL) {
        struct json *one = json_object();
        json_set_string(one, "order", charge->order);
        json_set_string(one, "id", event_string(charge, "id"));
        json_set_int(one, "amount", event_int(charge, "amount", -1));
        json_set_string(one, "currency", event_string(charge, "currency"));
        json_maybe_string(one, "payment_intent", event_string(charge, "payment_intent"));
        json_set_int(one, "refunded", history_refunded(&result->history, charge));
        json_push(list, one);
    }
    return list;
}

static struct json *all_reasons(const struct result *result)
{
    struct json *list = json_array();
    for (size_t i = 0; i < result->reason_count; i++)
        json_push(list, json_string(result->reasons[i].text));
    return list;
}

struct json *document_entry(const struct result *result, const char *replay)
{
    struct json *entry = json_object();
    json_set_string(entry, "file", result->file);
    json_set_string(entry, "title", result->title);
    json_maybe_string(entry, "dialect", result->dialect);
    json_set_string(entry, "verdict", verdict_name(result->verdict));
    json_set_string(entry, "reason", result_reason(result));
    json_set(entry, "reasons", all_reasons(result));
    json_set(entry, "invariants", all_invariants(result));
    json_set(entry, "orders", orders_to_json(&result->orders));
    json_set(entry, "claims", all_claims(result));
    json_set(entry, "charges", all_charges(result));
    json_set_int(entry, "took_ms", result->took_ms);
    json_set_string(entry, "replay", replay);
    json_maybe_string(entry, "box", result->box);
    if (result->verdict != VERDICT_PASS)
        json_set(entry, "history", history_to_json(&result->history));
    return entry;
}

struct json *document_make(uint64_t seed, const struct totals *totals, struct json *scenarios)
{
    struct json *document = json_object();
    struct json *sums = json_object();
    json_set_int(sums, "scenarios", (int64_t)json_count(scenarios));
    for (int i = 0; i < VERDICT_COUNT; i++)
        json_set_int(sums, verdict_name((enum verdict)i), (int64_t)totals->of[i]);
    json_set_string(document, "version", MOCKPSP_VERSION);
    json_set_int(document, "seed", (int64_t)seed);
    json_set(document, "totals", sums);
    json_set(document, "scenarios", scenarios);
    return document;
}
