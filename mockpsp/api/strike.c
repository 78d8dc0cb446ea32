#include "strike.h"

#include "check.h"
#include "core.h"
#include "duplicate.h"
#include "early.h"
#include "key.h"
#include "lag.h"
#include "log.h"
#include "mem.h"
#include "walk.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PIECE_MS 20 /* bandwidth: between two pieces */

static void strike_pass(struct exchange *x, const struct action *action)
{
    (void)action;
    walk_on(x);
}

static void strike_delay(struct exchange *x, const struct action *action)
{
    walk_on_later(x, action->ms);
}

/* The fault's answer becomes the one that the key remembers, also where the dialect would not: the
 * scenario has asked for it. */
static void store_answer(struct exchange *x)
{
    if (x->use.key == NULL)
        return;
    if (key_finish(x->core->store, &x->use, x->reply.status, x->reply.body) != ERR_OK)
        core_broken(x->core);
    x->claimed = false;
}

static void strike_respond(struct exchange *x, const struct action *action)
{
    if (action->text == NULL)
        reply_as_fault(&x->reply, (int)action->status, action->code);
    else
        reply_set(&x->reply, (int)action->status, mem_strdup(action->text));
    if (action->retry_after_s > 0) {
        char *seconds = mem_printf("%" PRId64, action->retry_after_s);
        reply_header(&x->reply, "Retry-After", seconds);
        free(seconds);
    }
    for (const struct json *header = json_first(action->headers); header != NULL;
         header = json_next(header))
        reply_header(&x->reply, json_name(header), json_as_string(header));
    if (action->store)
        store_answer(x);
    walk_answer(x);
}

/* --- the answer is lost, or what is left of it ------------------------------------------------ */

static void strike_drop(struct exchange *x, const struct action *action)
{
    (void)action;
    walk_end(x, ENDING_CLOSE, "closed");
}

static void strike_reset(struct exchange *x, const struct action *action)
{
    (void)action;
    walk_end(x, ENDING_RESET, "reset");
}

static void strike_hang(struct exchange *x, const struct action *action)
{
    (void)action;
    walk_end(x, ENDING_HANG, "hung");
}

/* Nobody listens any more when the client sees the end. */
static void strike_refuse(struct exchange *x, const struct action *action)
{
    if (x->core->refuse != NULL)
        x->core->refuse(x->core->refuse_context, action->ms);
    walk_end(x, ENDING_CLOSE, "closed");
}

/* The request lives on without whoever sent it: nobody is left to answer. */
static void strike_late(struct exchange *x, const struct action *action)
{
    x->late = true;
    x->late_ms = action->ms;
    x->ending = ENDING_CLOSE;
    x->how = "late";
    if (x->client_gone)
        walk_on_later(x, action->ms);
}

/* A start that some clients take for a TLS record, and none for a status line. */
static void strike_garbage(struct exchange *x, const struct action *action)
{
    static const char ours[] = "\x16\x03\x01 this is no HTTP \x80\xff\r\n\r\n";
    if (action->text == NULL)
        buf_add(&x->raw, ours, sizeof ours - 1);
    else
        buf_add_string(&x->raw, action->text);
    walk_end(x, ENDING_RAW, "garbage");
}

/* --- the answer is the real one, as far as it gets -------------------------------------------- */

static void strike_truncate(struct exchange *x, const struct action *action)
{
    x->shape.stop = action->bytes;
    x->shape.stops = true;
    x->ending = ENDING_CLOSE;
    x->how = "truncated";
    walk_on(x);
}

static void strike_dribble(struct exchange *x, const struct action *action)
{
    x->shape.piece = action->bytes;
    x->shape.every_ms = action->ms;
    walk_on(x);
}

/* So many bytes at a time that the timers' grain of a millisecond does not matter. */
static void strike_bandwidth(struct exchange *x, const struct action *action)
{
    x->shape.piece = action->bytes * PIECE_MS / 1000 > 0 ? action->bytes * PIECE_MS / 1000 : 1;
    x->shape.every_ms = (x->shape.piece * 1000 + action->bytes - 1) / action->bytes;
    walk_on(x);
}

static void end_broken(struct exchange *x, enum ending ending, int64_t cut, const char *how)
{
    x->ending = ending;
    x->cut = cut;
    x->how = how;
    walk_on(x);
}

static void strike_cut_header(struct exchange *x, const struct action *action)
{
    end_broken(x, ENDING_CUT, action->bytes, "cut_header");
}

static void strike_broken_chunk(struct exchange *x, const struct action *action)
{
    end_broken(x, ENDING_CHUNK, action->bytes, "broken_chunk");
}

/* Half of an object is no JSON, whatever it holds. */
static void strike_broken_json(struct exchange *x, const struct action *action)
{
    (void)action;
    x->reply.body[strlen(x->reply.body) / 2] = '\0';
    end_broken(x, ENDING_ANSWER, 0, "broken_json");
}

/* As the proxies that most people have in front of a provider say it. */
static void strike_proxy_error(struct exchange *x, const struct action *action)
{
    static const char *const names[] = {"Bad Gateway", "Service Temporarily Unavailable",
                                        "Gateway Time-out"};
    const char *name = names[action->status - 502];
    x->by_proxy = true;
    json_free(x->reply.headers);
    x->reply.headers = NULL;
    reply_set(&x->reply, (int)action->status,
              mem_printf("<html>\r\n<head><title>%d %s</title></head>\r\n<body>\r\n"
                         "<center><h1>%d %s</h1></center>\r\n<hr><center>nginx</center>\r\n"
                         "</body>\r\n</html>\r\n",
                         (int)action->status, name, (int)action->status, name));
    reply_header(&x->reply, "Server", "nginx");
    reply_header(&x->reply, "Content-Type", "text/html");
    walk_answer(x);
}

/* --- others than the answer ------------------------------------------------------------------- */

static void strike_duplicate(struct exchange *x, const struct action *action)
{
    duplicate_deliver(x, action->ms, action->second);
    walk_on(x);
}

static void strike_advance(struct exchange *x, const struct action *action)
{
    if (x->core->advance != NULL &&
        x->core->advance(x->core->advance_context, action->ms) != ERR_OK)
        log_error("advance: the clock cannot go so far");
    walk_on(x);
}

static void strike_early(struct exchange *x, const struct action *action)
{
    early_wait(x, action->ms);
}

/* A read sees what was there so long ago; what a write has made is hidden for so long. */
static void strike_stale(struct exchange *x, const struct action *action)
{
    if (x->at == FAILPOINT_RECEIVED)
        x->stale_ms = action->ms;
    else if (lag_hide_made(x, action->ms) != ERR_OK)
        core_broken(x->core);
    walk_on(x);
}

static void strike_decline(struct exchange *x, const struct action *action)
{
    mem_set_string(&x->forced_decline, action->text);
    walk_on(x);
}

static void strike_processing(struct exchange *x, const struct action *action)
{
    x->processing_ms = action->ms > 0 ? action->ms : 1; /* 0 would not be processing at all */
    walk_on(x);
}

/* Without a harness there is nobody to start us again; whoever supervises us does. */
static void strike_crash_psp(struct exchange *x, const struct action *action)
{
    (void)action;
    if (x->at == FAILPOINT_RESPONDED) {
        x->crash_when_sent = true;
        walk_on(x);
        return;
    }
    log_warn("crash_psp at %s: this process kills itself", failpoint_name(x->at));
    kill(getpid(), SIGKILL);
}

/* The harness has done it; alone, nobody knows the client. */
static void strike_crash_client(struct exchange *x, const struct action *action)
{
    strike_pass(x, action);
}

static void strike_pause_client(struct exchange *x, const struct action *action)
{
    strike_pass(x, action);
}

static void strike_stop_client(struct exchange *x, const struct action *action)
{
    strike_pass(x, action);
}

void strike(struct exchange *x, const struct action *action)
{
    static void (*const strikes[ACTION_COUNT])(struct exchange *, const struct action *) = {
#define STRIKE_ROW(name, constant, role, where, does) [constant] = strike_##name,
        REQUEST_ACTION_LIST(STRIKE_ROW)
#undef STRIKE_ROW
    };
    CHECK((unsigned)action->kind < ACTION_COUNT && strikes[action->kind] != NULL);
    strikes[action->kind](x, action);
}
