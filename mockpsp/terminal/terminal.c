#include "terminal.h"

#include "buf.h"
#include "clock.h"
#include "mem.h"
#include "printable.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_UNSENT (1 << 16) /* bytes */

#define WIDTH_PATH   30
#define WIDTH_ORDER  12
#define WIDTH_KEY    8
#define WIDTH_WHOSE  (WIDTH_ORDER + WIDTH_KEY + 5)
#define WIDTH_END    24
#define WIDTH_FAULTS 120

/* A request that is under way. */
struct under_way {
    uint64_t number;
    int64_t at_ms;
    int64_t began_us;
    char *method;
    char *path;
    char *order; /* or NULL */
    char *key;   /* or NULL */
    struct buf faults;
};

struct terminal {
    struct loop *loop;
    int fd;
    bool own_fd;
    bool colour;
    bool gone; /* nobody is left to tell */
    struct buf unsent;
    struct loop_watch *watch; /* waits for room for it, or NULL */
    struct under_way *requests;
    size_t count;
    uint64_t left_out; /* lines since the last one that was shown */
};

/* A terminal that is held up (^S) must not hold us up. O_NONBLOCK is not for the descriptor that we
 * were given: the shell has the same one. */
static int open_again(int fd)
{
    char *name = mem_printf("/proc/self/fd/%d", fd);
    int again = open(name, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    free(name);
    return again;
}

struct terminal *terminal_new(struct loop *loop, int fd, bool colour)
{
    struct terminal *terminal = mem_alloc(sizeof *terminal);
    int again = open_again(fd);
    terminal->loop = loop;
    terminal->own_fd = again >= 0;
    terminal->fd = terminal->own_fd ? again : fd;
    terminal->colour = colour;
    return terminal;
}

static void release(struct under_way *request)
{
    free(request->method);
    free(request->path);
    free(request->order);
    free(request->key);
    buf_release(&request->faults);
}

void terminal_free(struct terminal *terminal)
{
    if (terminal == NULL)
        return;
    for (size_t i = 0; i < terminal->count; i++)
        release(&terminal->requests[i]);
    loop_watch_stop(terminal->watch);
    if (terminal->own_fd)
        close(terminal->fd);
    buf_release(&terminal->unsent);
    free(terminal->requests);
    free(terminal);
}

bool terminal_has_colour(int fd)
{
    const char *term = getenv("TERM");
    const char *no_colour = getenv("NO_COLOR");
    return isatty(fd) && term != NULL && *term != '\0' && strcmp(term, "dumb") != 0 &&
           (no_colour == NULL || *no_colour == '\0');
}

/* --- the line --------------------------------------------------------------------------------- */

/* Pads what stands in LINE from START on to WIDTH columns. */
static void pad(struct buf *line, size_t start, size_t width)
{
    size_t columns = 0;
    for (size_t i = start; i < line->len; i++)
        columns += ((unsigned char)line->data[i] & 0xc0) != 0x80;
    for (; columns < width; columns++)
        buf_add_char(line, ' ');
}

static void colour(const struct terminal *terminal, struct buf *line, const char *code)
{
    if (terminal->colour)
        buf_addf(line, "\033[%sm", code);
}

static void add_time(struct buf *line, int64_t at_ms)
{
    int64_t second = at_ms / 1000 % 86400;
    buf_addf(line, "%02" PRId64 ":%02" PRId64 ":%02" PRId64 " ", second / 3600, second / 60 % 60,
             second % 60);
}

static void add_duration(struct buf *line, int64_t us)
{
    if (us < 10000)
        buf_addf(line, "%4" PRId64 ".%" PRId64 "ms", us / 1000, us / 100 % 10);
    else if (us < 10000000)
        buf_addf(line, "%6" PRId64 "ms", us / 1000);
    else
        buf_addf(line, "%5" PRId64 ".%" PRId64 "s", us / 1000000, us / 100000 % 10);
}

static void add_whose(struct buf *line, const struct under_way *request)
{
    size_t start = line->len;
    if (request->order != NULL)
        printable_add_short(line, request->order, WIDTH_ORDER);
    if (request->key != NULL) {
        buf_add_string(line, request->order == NULL ? "key " : " key ");
        printable_add_short(line, request->key, WIDTH_KEY);
    }
    pad(line, start, WIDTH_WHOSE);
}

/* "200", "200 replayed", "402 card_declined", "closed". */
static void add_end(const struct terminal *terminal, struct buf *line, const struct event *event)
{
    int64_t status = event_int(event, "status", 0);
    const char *code = event_string(event, "code");
    const char *how = event_string(event, "how");
    colour(terminal, line,
           event->kind == EVENT_OK     ? "32"
           : event->kind == EVENT_FAIL ? "33"
                                       : "31");
    size_t start = line->len;
    if (status != 0)
        buf_addf(line, "%" PRId64, status);
    if (event_bool(event, "replayed"))
        buf_add_string(line, " replayed");
    else if (status >= 400 && code != NULL) {
        buf_add_char(line, ' ');
        printable_add_short(line, code, WIDTH_END - 4);
    }
    if (how != NULL)
        printable_add_short(line, how, WIDTH_END);
    pad(line, start, WIDTH_END);
    colour(terminal, line, "0");
}

/* END is the event that ended it, or NULL: the provider is about to be killed. */
static void add_line(const struct terminal *terminal, struct buf *line,
                     const struct under_way *request, const struct event *end)
{
    colour(terminal, line, "2");
    add_time(line, request->at_ms);
    colour(terminal, line, "0");
    size_t start = line->len;
    printable_add_short(line, request->method, 8);
    pad(line, start, 7);
    start = line->len;
    printable_add_short(line, request->path, WIDTH_PATH);
    pad(line, start, WIDTH_PATH + 1);
    add_whose(line, request);
    buf_add_char(line, ' ');
    if (end != NULL)
        add_end(terminal, line, end);
    else
        pad(line, line->len, WIDTH_END);
    buf_add_char(line, ' ');
    add_duration(line, clock_monotonic_us() - request->began_us);
    if (request->faults.len > 0) {
        buf_add_string(line, "  ");
        colour(terminal, line, "35");
        printable_add_short(line, buf_string(&request->faults), WIDTH_FAULTS);
        colour(terminal, line, "0");
    }
    buf_add_char(line, '\n');
}

/* --- showing it ------------------------------------------------------------------------------- */

static void writable(void *context, int events);

static void wait_for_room(struct terminal *terminal, bool wait)
{
    if (wait && terminal->watch == NULL)
        terminal->watch =
            loop_watch(terminal->loop, terminal->fd, LOOP_WRITABLE, writable, terminal);
    if (wait)
        return;
    loop_watch_stop(terminal->watch);
    terminal->watch = NULL;
}

/* As much of it as there is room for. */
static void send_unsent(struct terminal *terminal)
{
    struct pollfd room = {.fd = terminal->fd, .events = POLLOUT};
    ssize_t written = 0;
    if (poll(&room, 1, 0) == 1)
        written = write(terminal->fd, terminal->unsent.data, terminal->unsent.len);
    terminal->gone = written < 0 && errno != EAGAIN && errno != EINTR;
    if (written > 0)
        buf_consume(&terminal->unsent, (size_t)written);
    if (terminal->gone)
        buf_clear(&terminal->unsent);
    wait_for_room(terminal, terminal->unsent.len > 0);
}

static void tell_left_out(struct terminal *terminal)
{
    if (terminal->left_out > 0)
        buf_addf(&terminal->unsent, "(%" PRIu64 " requests that this terminal was too slow for)\n",
                 terminal->left_out);
    terminal->left_out = 0;
}

static void writable(void *context, int events)
{
    struct terminal *terminal = context;
    (void)events;
    if (terminal->unsent.len <= MOST_UNSENT)
        tell_left_out(terminal);
    send_unsent(terminal);
}

static void show(struct terminal *terminal, const struct under_way *request,
                 const struct event *end)
{
    struct buf *unsent = &terminal->unsent;
    if (terminal->gone)
        return;
    if (unsent->len > MOST_UNSENT) {
        terminal->left_out++;
        return;
    }
    tell_left_out(terminal);
    add_line(terminal, unsent, request, end);
    send_unsent(terminal);
}

/* --- from the journal ------------------------------------------------------------------------- */

static struct under_way *find(struct terminal *terminal, uint64_t number)
{
    for (size_t i = 0; i < terminal->count; i++)
        if (terminal->requests[i].number == number)
            return &terminal->requests[i];
    return NULL;
}

static void begin(struct terminal *terminal, const struct event *event)
{
    const char *method = event_string(event, "method");
    const char *path = event_string(event, "path");
    terminal->requests =
        mem_resize(terminal->requests, terminal->count + 1, sizeof *terminal->requests);
    terminal->requests[terminal->count++] =
        (struct under_way){.number = event->request,
                           .at_ms = event->at_ms,
                           .began_us = clock_monotonic_us(),
                           .method = mem_strdup(method == NULL ? "?" : method),
                           .path = mem_strdup(path == NULL ? "?" : path),
                           .order = mem_strdup(event->order),
                           .key = mem_strdup(event_string(event, "key"))};
}

/* Whoever is killed on the spot has no end that could be told later. */
static void add_fault(struct terminal *terminal, const struct event *event)
{
    struct under_way *request = find(terminal, event->request);
    const char *act = event_string(event, "act");
    const char *at = event_string(event, "at");
    if (request == NULL || act == NULL || at == NULL)
        return;
    buf_addf(&request->faults, "%s%s at %s", request->faults.len == 0 ? "" : ", ", act, at);
    if (strncmp(act, "crash_psp", strlen("crash_psp")) == 0 && strcmp(at, "responded") != 0)
        show(terminal, request, NULL);
}

static void end(struct terminal *terminal, const struct event *event)
{
    struct under_way *request = find(terminal, event->request);
    if (request == NULL)
        return;
    show(terminal, request, event);
    release(request);
    *request = terminal->requests[--terminal->count];
}

void terminal_event(void *context, const struct event *event)
{
    if (event->kind == EVENT_INVOKE)
        begin(context, event);
    else if (event->kind == EVENT_FAULT)
        add_fault(context, event);
    else if (event->kind == EVENT_OK || event->kind == EVENT_FAIL || event->kind == EVENT_INFO)
        end(context, event);
}
