/* Results for a program: one JSON document.
 *
 * {"version":…,"seed":…,"totals":{"scenarios":N,"pass":N,…},"scenarios":[
 *   {"file":…,"title":…,"verdict":…,"reason":…,"reasons":[…],
 *    "invariants":[{"invariant":…,"severity":"fails"|"warns",
 *      "result":"holds"|"violated"|"cannot tell","cause","order","sentence","seq"}],
 * "orders":[…],"claims":[{"order":…,"outcome":…,"payment":…}],
 *    "charges":[{"order":…,"id":…,"amount":…,"currency":…,"payment_intent":…,"refunded":N}],
 *    "took_ms":N,"replay":…,"box":…,"history":[…]}]}   box and history only when it did not pass */
#ifndef DOCUMENT_H
#define DOCUMENT_H

#include "json.h"
#include "result.h"
#include "summary.h"

#include <stdint.h>

/* One scenario's entry, owned by the caller. */
struct json *document_entry(const struct result *result, const char *replay);

/* The document around SCENARIOS, an array of entries, which is taken over. */
struct json *document_make(uint64_t seed, const struct totals *totals, struct json *scenarios);

#endif
