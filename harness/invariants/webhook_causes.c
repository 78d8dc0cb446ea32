/* Why a client did for its orders what it should not have done, from what faults did to webhooks
 * and from the events that it names. */
#include "attempts.h"
#include "causes.h"
#include "failpoint.h"

#include <string.h>

static bool begins(const char *text, const char *start)
{
    return text != NULL && strncmp(text, start, strlen(start)) == 0;
}

static bool same(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/* Before THING a fault did ACT to a webhook of its order; to that of the event that it names, if it
 * names one. */
static bool struck(const struct history *history, const struct event *thing, const char *act)
{
    const char *named = event_string(thing, "event");
    const struct event *fault = NULL;
    while ((fault = history_next(history, fault, EVENT_FAULT, thing->order)) != NULL) {
        if (fault->seq < thing->seq && begins(event_string(fault, "act"), act) &&
            same(event_string(fault, "at"), failpoint_name(FAILPOINT_WEBHOOK)) &&
            (named == NULL || same(named, event_string(fault, "event"))))
            return true;
    }
    return false;
}

/* A client of its order, or one that serves all, was killed between the two. */
static bool was_killed(const struct history *history, const struct event *a, const struct event *b)
{
    const struct event *crash = a;
    while ((crash = history_next(history, crash, EVENT_CRASH, NULL)) != NULL && crash->seq < b->seq)
        if (crash->order == NULL || same(crash->order, b->order))
            return true;
    return false;
}

enum cause cause_of_second_deed(const struct history *history, const struct event *first,
                                const struct event *again)
{
    const char *one = first == NULL ? NULL : event_string(first, "event");
    const char *other = event_string(again, "event");
    if (one != NULL && other != NULL && strcmp(one, other) != 0)
        return CAUSE_two_events;
    if (first != NULL && was_killed(history, first, again))
        return CAUSE_done_before_mark;
    if (first != NULL && (one == NULL) != (other == NULL))
        return CAUSE_answer_and_event;
    if (struck(history, again, "duplicate"))
        return CAUSE_event_at_once;
    return other == NULL ? CAUSE_unknown : CAUSE_event_again;
}

enum cause cause_of_false_deed(const struct history *history, const struct event *thing)
{
    return struck(history, thing, "forge") ? CAUSE_forged_event : CAUSE_before_payment;
}

enum cause cause_of_lost_deed(const struct history *history, const struct event *thing)
{
    if (event_bool(thing, "undone") || struck(history, thing, "reorder") ||
        struck(history, thing, "delay"))
        return CAUSE_older_event;
    return CAUSE_event_dropped;
}
