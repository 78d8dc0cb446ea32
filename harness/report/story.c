#include "story.h"

#include "check.h"
#include "duration.h"
#include "mem.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_LINES 80 /* of one story; the middle is left out */
#define MOST_WIDTH 110

struct teller {
    const struct result *result;
    const char *order; /* NULL: everything */
    bool again;        /* only what is the same when the same happens again */
    int64_t start_ms;
    struct {
        const char *keys[26]; /* borrowed from the history: key A, key B, … */
        int count;
    } known;
    int charges; /* told so far */
    char **lines;
    size_t count;
};

/* --- words ----------------------------------------------------------------------------------- */

static void add_time(const struct teller *teller, const struct event *event, struct buf *line)
{
    int64_t ms = event->at_ms - teller->start_ms;
    char text[48];
    if (ms < 3600000)
        snprintf(text, sizeof text, "+%" PRId64 ".%03ds", ms / 1000, (int)(ms % 1000));
    else
        snprintf(text, sizeof text, "+%" PRId64 "h%02dm%02ds", ms / 3600000, (int)(ms / 60000 % 60),
                 (int)(ms / 1000 % 60));
    buf_addf(line, "%11s ", text);
}

/* Long keys are told apart by their ends. */
static void add_short(struct buf *line, const char *key)
{
    size_t length = strlen(key);
    if (length <= 24)
        buf_add_string(line, key);
    else
        buf_addf(line, "%.10s...%s", key, key + length - 6);
}

static void add_key(struct teller *teller, const char *key, struct buf *line)
{
    int i = 0;
    while (i < teller->known.count && strcmp(teller->known.keys[i], key) != 0)
        i++;
    if (i < teller->known.count) {
        buf_addf(line, "key %c again", 'A' + i);
        return;
    }
    if (i < 26)
        teller->known.keys[teller->known.count++] = key;
    if (i < 26)
        buf_addf(line, "key %c", 'A' + i);
    else
        buf_add_string(line, "another key");
    if (teller->again)
        return;
    buf_add_string(line, i < 26 ? " = " : " ");
    add_short(line, key);
}

static void add_money(const struct event *event, struct buf *line)
{
    const char *currency = event_string(event, "currency");
    int64_t amount = event_int(event, "amount", -1);
    if (amount >= 0)
        buf_addf(line, " %" PRId64 " %s", amount, currency == NULL ? "" : currency);
}

static void add_maybe(struct buf *line, const char *before, const char *text)
{
    if (text != NULL)
        buf_addf(line, "%s%s", before, text);
}

/* --- one event in words ---------------------------------------------------------------------- */

static void tell_up(struct teller *teller, const struct event *event, struct buf *line)
{
    (void)teller;
    int64_t recovered = event_int(event, "recovered", 0);
    buf_add_string(line, "   the provider is up");
    if (recovered > 0)
        buf_addf(line, ", %" PRId64 " request(s) in flight were rolled back", recovered);
}

static void tell_invoke(struct teller *teller, const struct event *event, struct buf *line)
{
    const char *method = event_string(event, "method");
    const char *key = event_string(event, "key");
    buf_addf(line, "-> request %" PRIu64 ": ", event->request);
    add_maybe(line, "", method);
    add_maybe(line, " ", event_string(event, "path"));
    add_money(event, line);
    if (key != NULL) {
        buf_add_string(line, ", ");
        add_key(teller, key, line);
    } else if (method != NULL && strcmp(method, "POST") == 0) {
        buf_add_string(line, ", no idempotency key");
    }
    if (event_int(event, "copy_of", 0) > 0)
        buf_addf(line, ", request %" PRId64 " once more, from a proxy",
                 event_int(event, "copy_of", 0));
    else if (event_int(event, "on_connection", 1) > 1)
        buf_add_string(line, ", on a warm connection");
}

static void tell_effect(struct teller *teller, const struct event *event, struct buf *line)
{
    const char *object = event_string(event, "object");
    bool capture = object != NULL && strcmp(object, "capture") == 0;
    bool charge = capture || (object != NULL && strcmp(object, "charge") == 0);
    buf_add_string(line, capture ? " $ captured" : charge ? " $ charged" : " $ ");
    if (!charge)
        add_maybe(line, "", object);
    add_money(event, line);
    add_maybe(line, ": ", event_string(event, "id"));
    if (!charge)
        add_maybe(line, " of ", event_string(event, "charge"));
    add_maybe(line, " of ", event_string(event, "payment_intent"));
    if (charge)
        buf_addf(line, "  (charge number %d)", ++teller->charges);
}

static void tell_fault(struct teller *teller, const struct event *event, struct buf *line)
{
    (void)teller;
    add_maybe(line, "** FAULT at ", event_string(event, "at"));
    add_maybe(line, ": ", event_string(event, "act"));
    add_maybe(line, " of ", event_string(event, "event_type"));
}

static void tell_answer(struct teller *teller, const struct event *event, struct buf *line)
{
    (void)teller;
    int64_t status = event_int(event, "status", 0);
    buf_addf(line, "<- request %" PRIu64 ": ", event->request);
    if (status != 0)
        buf_addf(line, "%" PRId64, status);
    else
        buf_add_string(line, "no whole answer");
    add_maybe(line, ", ", event_string(event, "how"));
    add_maybe(line, " ", event_string(event, "type"));
    add_maybe(line, " ", event_string(event, "code"));
    add_maybe(line, " ", event_string(event, "id"));
    if (event_bool(event, "replayed"))
        buf_add_string(line, " (replayed: the first answer to this key)");
}

static void tell_clock(struct teller *teller, const struct event *event, struct buf *line)
{
    (void)teller;
    buf_addf(line, "   %s pass", duration_format(event_int(event, "advanced", 0)).text);
}

static void tell_down(struct teller *teller, const struct event *event, struct buf *line)
{
    (void)teller;
    buf_add_string(line, "** the provider is killed");
    add_maybe(line, ": ", event_string(event, "why"));
}

/* "the client", or which of its processes: "the client's process_2". */
static void add_who(const struct event *event, struct buf *line)
{
    const char *process = event_string(event, "process");
    buf_add_string(line, "the client");
    add_maybe(line, "'s ", process);
}

/* A call of the client file's submit(order). */
static bool is_submit(const struct event *event)
{
    const char *process = event_string(event, "process");
    return process != NULL && strcmp(process, "submit") == 0;
}

static void tell_start(struct teller *teller, const struct event *event, struct buf *line)
{
    int64_t run = event_int(event, "run", 1);
    buf_add_string(line, "   ");
    if (is_submit(event)) {
        buf_add_string(line, "the order is submitted");
    } else {
        add_who(event, line);
        buf_add_string(line, " starts");
    }
    add_maybe(line, " for ", teller->order == NULL ? event->order : NULL);
    if (run > 1)
        buf_addf(line, " again (run %" PRId64 ")", run);
}

static void tell_output(struct teller *teller, const struct event *event, struct buf *line)
{
    const char *stream = event_string(event, "stream");
    (void)teller;
    buf_addf(line, "   %s %s",
             event_string(event, "process") == NULL ? "client" : event_string(event, "process"),
             stream != NULL && strcmp(stream, "stderr") == 0 ? "stderr" : "says");
    add_maybe(line, ": ", event_string(event, "text"));
}

static void tell_crash(struct teller *teller, const struct event *event, struct buf *line)
{
    const char *name = sigabbrev_np((int)event_int(event, "signal", 0));
    (void)teller;
    buf_add_string(line, "** ");
    add_who(event, line);
    if (event_string(event, "part") != NULL) /* of it */
        buf_addf(line, " (%s of it)", event_string(event, "part"));
    buf_addf(line, " %s SIG%s",
             event_int(event, "signal", 0) == SIGKILL ? "is killed with" : "is sent",
             name == NULL ? "?" : name);
    add_maybe(line, ": ", event_string(event, "why"));
}

static void tell_pause(struct teller *teller, const struct event *event, struct buf *line)
{
    (void)teller;
    buf_add_string(line, "** ");
    add_who(event, line);
    buf_addf(line, " is stopped for %s", duration_format(event_int(event, "ms", 0)).text);
    add_maybe(line, ": ", event_string(event, "why"));
}

static void tell_resume(struct teller *teller, const struct event *event, struct buf *line)
{
    (void)teller;
    buf_add_string(line, "   ");
    add_who(event, line);
    buf_add_string(line, " goes on");
}

static void tell_exit(struct teller *teller, const struct event *event, struct buf *line)
{
    int64_t number = event_int(event, "signal", 0);
    const char *name = sigabbrev_np((int)number);
    (void)teller;
    buf_add_string(line, "   ");
    if (is_submit(event)) {
        buf_addf(line, "the client %s it",
                 event_bool(event, "accepted") ? "has taken" : "does not say that it has taken");
        return;
    }
    add_who(event, line);
    if (number != 0)
        buf_addf(line, " died of SIG%s", name == NULL ? "?" : name);
    else
        buf_addf(line, " ends with status %" PRId64, event_int(event, "status", -1));
}

static void tell_claim(struct teller *teller, const struct event *event, struct buf *line)
{
    const char *by = event_string(event, "by");
    (void)teller;
    add_maybe(line, "   so the order is: ", event_string(event, "outcome"));
    if (by != NULL && strcmp(by, "line") == 0)
        buf_add_string(line, ", by its own word");
    add_maybe(line, ", paid as ", event_string(event, "payment"));
}

static void tell_done(struct teller *teller, const struct event *event, struct buf *line)
{
    int64_t times = event_int(event, "times", -1);
    (void)teller;
    add_maybe(line, event_bool(event, "undone") ? " ! taken back: " : " ! done: ",
              event_string(event, "effect"));
    if (times >= 0)
        buf_addf(line, ", %" PRId64 " times, as effects(order) counts", times);
    add_maybe(line, ", for ", event_string(event, "event"));
}

static void tell_job(struct teller *teller, const struct event *event, struct buf *line)
{
    const char *what = event_string(event, "what");
    int64_t deliveries = event_int(event, "deliveries", 0);
    (void)teller;
    if (what != NULL && strcmp(what, "lock_expired") == 0)
        buf_add_string(line,
                       "   the job's visibility timeout is over while its worker lives: it is "
                       "delivered to another");
    else
        buf_addf(line, "   the job is out of tries: it was delivered %" PRId64 " times",
                 deliveries);
}

static void tell_heal(struct teller *teller, const struct event *event, struct buf *line)
{
    (void)teller;
    (void)event;
    buf_add_string(line, "   faults end here");
}

static void (*const TELL[])(struct teller *teller, const struct event *event, struct buf *line) = {
    [EVENT_UP] = tell_up,       [EVENT_INVOKE] = tell_invoke, [EVENT_EFFECT] = tell_effect,
    [EVENT_FAULT] = tell_fault, [EVENT_OK] = tell_answer,     [EVENT_FAIL] = tell_answer,
    [EVENT_INFO] = tell_answer, [EVENT_CLOCK] = tell_clock,   [EVENT_DOWN] = tell_down,
    [EVENT_START] = tell_start, [EVENT_OUTPUT] = tell_output, [EVENT_CRASH] = tell_crash,
    [EVENT_PAUSE] = tell_pause, [EVENT_RESUME] = tell_resume, [EVENT_EXIT] = tell_exit,
    [EVENT_CLAIM] = tell_claim, [EVENT_DONE] = tell_done,     [EVENT_JOB] = tell_job,
    [EVENT_HEAL] = tell_heal,
};

_Static_assert(sizeof TELL / sizeof TELL[0] == EVENT_COUNT, "every event can be told");

/* --- the whole of it ------------------------------------------------------------------------- */

/* Its own events, and those that happen to everybody. */
static bool concerns(const struct teller *teller, const struct event *event)
{
    if (teller->order == NULL)
        return true;
    if (event->order != NULL)
        return strcmp(event->order, teller->order) == 0;
    return event->kind != EVENT_OUTPUT && event->kind != EVENT_INVOKE &&
           event->kind != EVENT_EFFECT && event->kind != EVENT_FAULT && event->kind != EVENT_OK &&
           event->kind != EVENT_FAIL && event->kind != EVENT_INFO;
}

static void add_marks(const struct teller *teller, const struct event *event, struct buf *line)
{
    const struct findings *findings = &teller->result->findings;
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].seq == event->seq && findings->items[i].violated)
            buf_addf(line, "  <== %s", invariant_name(findings->items[i].invariant));
}

static void tell(struct teller *teller, const struct event *event)
{
    struct buf words = {0};
    struct buf line = {0};
    TELL[event->kind](teller, event, &words);
    if (!teller->again)
        add_time(teller, event, &line);
    if (words.len > MOST_WIDTH)
        buf_addf(&line, "%.*s...", MOST_WIDTH - 3, buf_string(&words));
    else
        buf_add_string(&line, buf_string(&words));
    add_marks(teller, event, &line);
    teller->lines = mem_resize(teller->lines, teller->count + 1, sizeof *teller->lines);
    teller->lines[teller->count++] = buf_take(&line);
    buf_release(&words);
}

static void print_lines(const struct teller *teller, struct buf *out)
{
    size_t head = teller->count;
    size_t tail = teller->count;
    if (teller->count > MOST_LINES) {
        head = MOST_LINES / 2;
        tail = teller->count - MOST_LINES / 2;
    }
    for (size_t i = 0; i < teller->count; i++) {
        if (i == head && i < tail)
            buf_addf(out, "    %11s ... %zu lines left out, history.jsonl has them\n", "",
                     tail - head);
        if (i < head || i >= tail)
            buf_addf(out, "    %s\n", teller->lines[i]);
    }
}

static void tell_all(const struct result *result, const char *order, bool again, struct buf *out)
{
    const struct history *history = &result->history;
    struct teller teller = {.result = result, .order = order, .again = again};
    bool was_up = false;
    if (history->count > 0)
        teller.start_ms = history->events[0].at_ms;
    for (size_t i = 0; i < history->count; i++) {
        const struct event *event = &history->events[i];
        CHECK((unsigned)event->kind < EVENT_COUNT);
        /* That it is there at the beginning goes without saying. */
        bool silent = event->kind == EVENT_UP ? !was_up : again && event->kind == EVENT_OUTPUT;
        was_up = was_up || event->kind == EVENT_UP;
        if (!silent && concerns(&teller, event))
            tell(&teller, event);
    }
    print_lines(&teller, out);
    for (size_t i = 0; i < teller.count; i++)
        free(teller.lines[i]);
    free(teller.lines);
}

void story_tell(const struct result *result, const char *order, struct buf *out)
{
    tell_all(result, order, false, out);
}

void story_tell_again(const struct result *result, const char *order, struct buf *out)
{
    tell_all(result, order, true, out);
}
