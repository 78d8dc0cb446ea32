/* The evidence of a dispute: evidence[…] of requests, and a JSON object of what was given. */
#ifndef EVIDENCE_H
#define EVIDENCE_H

#include "exchange.h"
#include "json.h"

#include <stdbool.h>

/* Puts what the request hands in into EVIDENCE, "" for what it takes out. False after refusing. */
bool evidence_read(struct exchange *x, struct json *evidence);

/* BEFORE with what was GIVEN since; owned by the caller. */
struct json *evidence_merge(const struct json *before, const struct json *given);

/* Every piece that there could be, null where it was not GIVEN; owned by the caller. */
struct json *evidence_render(const struct json *given);

#endif
