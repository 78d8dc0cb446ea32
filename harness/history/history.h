/* Everything that happened in a world, in one order: what the provider's journal said, and what the
 * harness saw and did. The verdict is made from this alone.
 *
 * Every event carries the order that it belongs to, as far as the harness can tell. */
#ifndef HISTORY_H
#define HISTORY_H

#include "err.h"
#include "event.h"
#include "json.h"
#include "request_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A zeroed history is empty. */
struct history {
    struct event *events; /* events[i].seq is i + 1 */
    size_t count;
    struct request_index requests; /* of these events */
};

/* Takes EVENT over and gives it the next seq. Returns it, borrowed until the next addition. */
const struct event *history_add(struct history *history, struct event event);
void history_release(struct history *history);

/* The next event of KIND after AFTER (NULL: the first), of ORDER (NULL: of any, or of none); NULL
 * when there is no other. */
const struct event *history_next(const struct history *history, const struct event *after,
                                 enum event_kind kind, const char *order);

/* How many events of KIND belong to ORDER (NULL: any or none). */
size_t history_count(const struct history *history, enum event_kind kind, const char *order);

/* The invoke of attempt REQUEST, and its ok, fail or info; NULL when there is none. Where a proxy
 * has delivered it twice and passed on the second answer, that one. */
const struct event *history_invoke(const struct history *history, uint64_t request);
const struct event *history_answer(const struct history *history, uint64_t request);

/* How long a key lives at this provider, in ms (24 h when the history does not say), and the name
 * of the header or field that carries it ("" when it takes none, NULL when it does not say). */
int64_t history_key_ttl_ms(const struct history *history);
const char *history_key_name(const struct history *history);

/* The last claim made for ORDER, or NULL. */
const struct event *history_last_claim(const struct history *history, const char *order);

/* A request of ORDER was answered with 402, or with a payment that its issuer declined. */
bool history_declined(const struct history *history, const char *order);

/* There are requests of ORDER, and the provider refused every one with 401: it did so itself, with
 * no fault in it. */
bool history_unauthorized(const struct history *history, const char *order);

/* The next effect that took money: history_next for charges, and for captures of what was only
 * authorized before (which is no effect: an order is charged when its money is captured). */
const struct event *history_next_charge(const struct history *history, const struct event *after,
                                        const char *order);

/* How much of CHARGE, an effect, was refunded, in minor units; refunds that came back do not count.
 */
int64_t history_refunded(const struct history *history, const struct event *charge);

/* EFFECT had happened when CLAIM was made. What came in the same instant had: what a client does
 * and what the provider says of it reach us by different ways. */
bool history_was_before(const struct event *effect, const struct event *claim);

/* CHARGE, which had happened by then, stood when CLAIM was made. */
bool history_stood(const struct history *history, const struct event *charge,
                   const struct event *claim);

/* A charge stands until all of it was refunded. */
bool history_stands(const struct history *history, const struct event *charge);

/* The journal's form: an array of events, or one event per line of text. */
struct json *history_to_json(const struct history *history);
/* ERR_INVALID when anything in it is no event; HISTORY is empty then. */
enum err history_from_json(const struct json *json, struct history *history) MUST_CHECK;

#endif
