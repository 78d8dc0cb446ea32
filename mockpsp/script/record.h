/* What has happened so far, for scripts to look at: whoever runs a script tells it every event, and
 * the words `history` and `now` show it. It is kept here and not in the script's memory. */
#ifndef RECORD_H
#define RECORD_H

#include "clock.h"
#include "event.h"

#include <stddef.h>
#include <stdint.h>

struct record;

/* An empty one, which keeps the latest MOST events; 0: all. */
struct record *record_new(size_t most);
void record_free(struct record *record); /* NULL is fine */

/* EVENT, which is copied, has happened. The first one ever told is the beginning of time. */
void record_add(struct record *record, const struct event *event);

/* The provider's clock. Without one (.now_ms NULL) no time passes. */
void record_set_clock(struct record *record, struct clock_source clock);

/* RECORD may be NULL in what follows: nothing has happened. */

/* Milliseconds on the provider's clock since the beginning; 0 before it. */
int64_t record_now_ms(const struct record *record);

/* EVENT's own time, counted in the same way. */
int64_t record_at_ms(const struct record *record, const struct event *event);

/* How many events are kept, and number INDEX of them (from 0, the oldest first); borrowed until the
 * next addition. */
size_t record_count(const struct record *record);
const struct event *record_event(const struct record *record, size_t index);

#endif
