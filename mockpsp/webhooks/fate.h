/* What faults do to an attempt to deliver an event: the fault source is asked at the failpoint
 * `webhook`, about an attempt that is a delivery (wire/attempt.h). */
#ifndef FATE_H
#define FATE_H

#include "delivery.h"
#include "fault_source.h"
#include "live.h"
#include "notice.h"

#include <stdbool.h>
#include <stddef.h>

struct fate;

/* Told once, when the source has said all it has to say; it may free the fate. */
typedef void fate_decided(void *context);

/* The source is the live one for the delivery's account, or OTHERWISE. URL: of the endpoint. */
struct fate *fate_new(const struct live_faults *live, struct fault_source otherwise,
                      const struct delivery *delivery, const char *url,
                      const struct notice *notice);

/* Asks; DECIDED is called now or in a later turn of the loop. */
void fate_ask(struct fate *fate, fate_decided *decided, void *context);

const struct delivery_fate *fate_get(const struct fate *fate);

/* Whether anything is done to it. */
bool fate_strikes(const struct fate *fate);

/* Action number N (from 0) in words, "delay 1h"; NULL past the end. */
const char *fate_act(const struct fate *fate, size_t n);

/* The order that the event is about, or NULL, and its type. */
const char *fate_order(const struct fate *fate);
const char *fate_event_type(const struct fate *fate);

/* The source forgets the attempt; an answer that is still to come is not heard any more. NULL is
 * fine. */
void fate_free(struct fate *fate);

#endif
