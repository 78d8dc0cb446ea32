/* The canonical history: what happened in a run and nothing else, so that the same run played again
 * gives the same bytes.
 *
 * It is a pure function of the history, one event per line of JSON, in the order of the history:
 * kind, request, order and data, as EVENT_LIST says. These are not in it, because they differ
 * although the same happened:
 *
 *   - ports, pids, and every time. Of time there is only what a scenario did to it: `advanced` of a
 *     clock event, `down` of a provider;
 *   - what clients print: it holds times, ports and addresses, and comes by a way of its own, so
 *     that its place among the events is nobody's doing. What it claims is in it.
 *
 * What a client makes up is named by the order of its first appearance: its idempotency keys key_1,
 * key_2…, the fingerprints of its requests fingerprint_1…, and in the path, the parameters and the
 * claims every word that looks made up (8 characters with a digit, 16 with capitals and small
 * letters) made_1…, unless provider or harness said it before, as they do with the ids of payments.
 * Which are equal is kept that way. A moment (Unix time, ISO 8601) is called `time`.
 *
 * The order is that of the history, order by order: between two events that concern everybody (up,
 * down, clock, heal, a request that is nobody's) first comes what happened for the order that came
 * first, then the next. What is left of one order's request may go on beside the next order's
 * client, and neither is told of the other; the numbers of the requests show who came when.
 *
 * What happens to one order side by side is in the order in which the provider did it: requests
 * that a client sends at the same time, and a request that goes on without its client (late,
 * delay) while its next one comes. That is the doing of the client, the kernel and of real time. A
 * client that sends one request after the other, in a scenario whose times are far enough from the
 * client's own, has one canonical history; others may have several. So may one that makes up short
 * numbers, or lets chance decide what it does. */
#ifndef CANONICAL_H
#define CANONICAL_H

#include "buf.h"
#include "history.h"

/* Adds the canonical form of HISTORY to OUT, "" when nothing happened. */
void canonical_print(const struct history *history, struct buf *out);

#endif
