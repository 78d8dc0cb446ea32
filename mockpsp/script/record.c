#include "record.h"

#include "check.h"
#include "mem.h"

#include <stdbool.h>
#include <stdlib.h>

struct record {
    struct event *events; /* a ring when MOST of them are there */
    size_t count;
    size_t oldest;
    size_t most; /* 0: all are kept */
    bool begun;
    int64_t began_ms;
    struct clock_source clock;
};

struct record *record_new(size_t most)
{
    struct record *record = mem_alloc(sizeof *record);
    record->most = most;
    return record;
}

void record_free(struct record *record)
{
    if (record == NULL)
        return;
    for (size_t i = 0; i < record->count; i++)
        event_release(&record->events[i]);
    free(record->events);
    free(record);
}

static struct event *new_place(struct record *record)
{
    if (record->most > 0 && record->count == record->most) {
        struct event *place = &record->events[record->oldest];
        record->oldest = (record->oldest + 1) % record->most;
        event_release(place);
        return place;
    }
    /* A power of two has been reached: double, so that n additions cost O(n). */
    if ((record->count & (record->count - 1)) == 0)
        record->events = mem_resize(record->events, record->count == 0 ? 1 : record->count * 2,
                                    sizeof *record->events);
    return &record->events[record->count++];
}

void record_add(struct record *record, const struct event *event)
{
    if (!record->begun) {
        record->begun = true;
        record->began_ms = event->at_ms;
    }
    *new_place(record) = event_copy(event);
}

void record_set_clock(struct record *record, struct clock_source clock)
{
    record->clock = clock;
}

int64_t record_now_ms(const struct record *record)
{
    if (record == NULL || !record->begun || record->clock.now_ms == NULL)
        return 0;
    return record->clock.now_ms(record->clock.self) - record->began_ms;
}

int64_t record_at_ms(const struct record *record, const struct event *event)
{
    return event->at_ms - record->began_ms;
}

size_t record_count(const struct record *record)
{
    return record == NULL ? 0 : record->count;
}

const struct event *record_event(const struct record *record, size_t index)
{
    CHECK(index < record_count(record));
    return &record->events[(record->oldest + index) % record->count];
}
