/* What faults do to deliveries: written down with each before it comes to pass. */
#ifndef DELIVERY_FAULTS_H
#define DELIVERY_FAULTS_H

#include "delivery.h"

/* Whether DELIVERY is still to be made: nobody has deleted it, or disabled or deleted its endpoint,
 * or sent it again by hand. */
enum err delivery_stands(struct store *store, const struct delivery *delivery,
                         bool *stands) MUST_CHECK;

/* Notes that ACT ("delay 1h") was done to the next attempt, for the report. */
enum err delivery_note(struct store *store, const struct delivery *delivery,
                       const char *act) MUST_CHECK;

/* Writes down what becomes of the next attempt. */
enum err delivery_decide(struct store *store, const struct delivery *delivery,
                         const struct delivery_fate *fate, int64_t now_ms) MUST_CHECK;

/* DELIVERY has arrived: those before it that were held back for it are due. */
enum err delivery_let_go(struct store *store, const struct delivery *delivery) MUST_CHECK;

/* Whatever waits, for a fault or to be tried again, is due at NOW_MS. */
enum err delivery_let_all_go(struct store *store, int64_t now_ms) MUST_CHECK;

/* How many deliveries of events that REQUEST ("req_…") caused have not been sent once. */
enum err delivery_unsent(struct store *store, const char *request, int64_t *count) MUST_CHECK;

#endif
