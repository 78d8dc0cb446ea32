/* What became of one scenario: the verdict, why, and the history to read it from. It travels from
 * the worker that ran the world to the parent as JSON. */
#ifndef RESULT_H
#define RESULT_H

#include "err.h"
#include "history.h"
#include "invariant.h"
#include "json.h"
#include "order.h"
#include "trace.h"
#include "verdict.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct reason {
    enum verdict verdict;
    char *text; /* a sentence */
};

/* A zeroed result is a pass without anything in it. */
struct result {
    char *file; /* the scenario */
    char *title;
    char *dialect;        /* the provider's way with idempotency, or NULL: Stripe v1 */
    enum verdict verdict; /* the worst of the reasons' */
    struct reason *reasons;
    size_t reason_count;
    struct findings findings;
    struct orders orders;
    struct history history;
    struct trace trace; /* where something could have struck; empty unless it was asked for */
    char *story;        /* when it has been told already; NULL: the history has it */
    char *box;          /* where it was kept, or NULL */
    int64_t took_ms;
    int64_t client_runs; /* how many processes were started for the client */
    int64_t client_us;   /* for which they ran, all of them together */
};

/* Adds a reason and makes the verdict at least as bad as VERDICT. */
void result_add(struct result *result, enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds something that a person should know, and that is no reason for anything. */
void result_note(struct result *result, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Whether REASON is one of those. */
bool reason_is_note(const struct reason *reason);

/* Adds FINDINGS, which are taken over, and a reason for each. What only WARNS is no reason for
 * anything but a pass, unless STRICT. */
void result_add_findings(struct result *result, struct findings findings, bool strict);

/* The first of the worst reasons; "" when there is none, as for a pass. */
const char *result_reason(const struct result *result);

struct json *result_to_json(const struct result *result);
/* ERR_INVALID leaves RESULT zeroed. */
enum err result_from_json(const struct json *json, struct result *result) MUST_CHECK;
void result_release(struct result *result);

#endif
