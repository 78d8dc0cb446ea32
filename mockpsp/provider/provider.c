#include "provider.h"

#include "charge.h"
#include "check.h"
#include "clock.h"
#include "core.h"
#include "delivery_faults.h"
#include "doors.h"
#include "duplicate.h"
#include "early.h"
#include "exchange.h"
#include "key.h"
#include "log.h"
#include "mem.h"
#include "notice.h"
#include "rate.h"
#include "remote.h"
#include "sender.h"
#include "settle.h"
#include "stale.h"
#include "standing.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Static_assert(PROVIDER_WEBHOOKS == STANDING_MOST, "every URL has its endpoint");

#define MANUAL_START_MS INT64_C(1767225600000) /* 2026-01-01T00:00:00Z */
#define TOKEN_TTL_MS    INT64_C(3600000)

struct provider {
    struct core core;
    struct clock clock;
    struct control control;
    struct doors doors;
    bool manual_clock;
    struct endpoint standing[PROVIDER_WEBHOOKS]; /* the endpoints of --webhook, and zeroed ones */
    int64_t recovered;                           /* keys released at the start */
    journal_listener *listener;
    void *listener_context;
};

static const char *clock_number(const struct provider *provider)
{
    return provider->manual_clock ? "clock_manual_ms" : "clock_offset_ms";
}

/* The clock goes on where the database left it: a restart does not turn time back. */
static enum err open_clock(struct provider *provider)
{
    int64_t number = 0;
    int64_t start = provider->manual_clock ? MANUAL_START_MS : 0;
    enum err err = store_get_number(provider->core.store, clock_number(provider), &number, start);
    if (err != ERR_OK)
        return err;
    if (provider->manual_clock)
        clock_init_manual(&provider->clock, number);
    else
        clock_init_real(&provider->clock, clock_machine());
    return provider->manual_clock ? ERR_OK : clock_advance(&provider->clock, number);
}

static enum err note_clock(struct provider *provider, int64_t advanced)
{
    struct event event = event_new(EVENT_CLOCK, 0, clock_now_ms(&provider->clock));
    json_set_int(event.data, "advanced", advanced);
    json_set_int(event.data, "now", event.at_ms);
    return journal_add(provider->core.journal, "", event);
}

/* In one transaction: a restart must not find a time that nobody was told of. */
static enum err keep_time(struct provider *provider, int64_t advanced)
{
    struct core *core = &provider->core;
    enum err err = store_begin(core->store);
    if (err == ERR_OK)
        err = store_set_number(core->store, clock_number(provider), provider->clock.offset_ms);
    if (err == ERR_OK)
        err = note_clock(provider, advanced);
    if (err == ERR_OK)
        err = notice_forget_old(core->store, clock_now_ms(&provider->clock), INT64_MAX);
    if (err == ERR_OK)
        err = journal_commit(core->journal);
    if (err != ERR_OK)
        journal_rollback(core->journal);
    return err;
}

static enum err advance(void *context, int64_t ms)
{
    struct provider *provider = context;
    struct clock before = provider->clock;
    enum err err = clock_advance(&provider->clock, ms);
    if (err != ERR_OK)
        return err;
    err = keep_time(provider, ms);
    if (err != ERR_OK) {
        provider->clock = before;
        return err;
    }
    settle_due(&provider->core);
    sender_poke(provider->core.sender);
    return ERR_OK;
}

/* Attempts go on counting over restarts and resets, so that ids made from them never repeat. */
static enum err recover(struct provider *provider)
{
    struct core *core = &provider->core;
    int64_t kept = 0;
    uint64_t in_journal = 0;
    enum err err = key_recover(core->store, &provider->recovered);
    if (err == ERR_OK)
        err = store_get_number(core->store, "last_attempt", &kept, 0);
    if (err == ERR_OK)
        err = journal_last_attempt(core->journal, &in_journal);
    core->last_attempt = in_journal > (uint64_t)kept ? in_journal : (uint64_t)kept;
    return err;
}

static enum err open_state(struct provider *provider, const struct provider_options *options,
                           struct err_text *why)
{
    struct core *core = &provider->core;
    enum err err = store_open(&core->store,
                              &(struct store_options){.path = options->db,
                                                      .durable = options->durable,
                                                      .alone = options->db_alone},
                              why);
    if (err != ERR_OK)
        return err;
    core->journal = journal_new(core->store, provider->listener, provider->listener_context);
    err = open_clock(provider);
    if (err == ERR_OK)
        err = recover(provider);
    if (err != ERR_OK)
        return err_say(why, err, "cannot read database %s: %s",
                       options->db == NULL ? ":memory:" : options->db, store_message(core->store));
    return ERR_OK;
}

bool provider_webhooks_leave(const struct provider_options *options)
{
    const char *host = options->host;
    bool loopback = host == NULL || strncmp(host, "127.", 4) == 0 || strcmp(host, "::1") == 0;
    return options->webhook_any_host || !loopback;
}

/* What an earlier process did not get to send is sent from here on. */
static enum err start_sending(struct provider *provider, const struct provider_options *options,
                              struct err_text *why)
{
    struct core *core = &provider->core;
    struct standing standing = {.urls = options->webhook_urls,
                                .count = options->webhook_count,
                                .secret = options->webhook_secret,
                                .seed = options->seed,
                                .now_s = clock_now_s(&provider->clock)};
    core->webhook_any_host = provider_webhooks_leave(options);
    enum err err = standing_put(core->store, &standing, provider->standing);
    if (err != ERR_OK)
        return err_say(why, err, "cannot write to the database: %s", store_message(core->store));
    core->sender = sender_new((struct office){.store = core->store,
                                              .journal = core->journal,
                                              .clock = &provider->clock,
                                              .machine = clock_machine(),
                                              .loop = core->loop,
                                              .live = core->live,
                                              .faults = core->faults},
                              early_look, core);
    return ERR_OK;
}

static void refuse(void *context, int64_t ms)
{
    struct provider *provider = context;
    doors_refuse(&provider->doors, ms);
}

static enum err start_serving(struct provider *provider, const struct provider_options *options,
                              struct err_text *why)
{
    provider->control = (struct control){.core = &provider->core,
                                         .started_us = clock_monotonic_us(),
                                         .advance = advance,
                                         .context = provider,
                                         .describe_options = options->describe_options,
                                         .token = options->control_token};
    provider->core.refuse = refuse;
    provider->core.refuse_context = provider;
    provider->core.advance = advance;
    provider->core.advance_context = provider;
    return doors_open(&provider->doors, &provider->core, &provider->control, options, why);
}

static enum err open_with_listener(struct provider **provider, struct loop *loop,
                                   const struct provider_options *options,
                                   journal_listener *listener, void *context, struct err_text *why)
{
    struct provider *opened = mem_alloc(sizeof *opened);
    opened->listener = listener;
    opened->listener_context = context;
    opened->manual_clock = options->manual_clock;
    opened->core = (struct core){
        .clock = &opened->clock,
        .loop = loop,
        .faults = options->faults.ops == NULL ? fault_source_none() : options->faults,
        .live = live_faults_new(options->seed, clock_as_source(&opened->clock)),
        .seed = options->seed,
        .dialect = options->dialect == NULL ? *dialect_number(0) : *options->dialect,
        .token_ttl_ms = options->token_ttl_ms == 0 ? TOKEN_TTL_MS : options->token_ttl_ms,
        .limits = options->limits,
        .api_key = options->api_key,
    };
    if (options->key_ttl_ms != 0)
        opened->core.dialect.ttl_ms = options->key_ttl_ms;
    enum err err = open_state(opened, options, why);
    if (err == ERR_OK)
        err = start_sending(opened, options, why);
    if (err == ERR_OK)
        err = start_serving(opened, options, why);
    if (err != ERR_OK) {
        provider_close(opened);
        opened = NULL;
    }
    *provider = opened;
    return err;
}

/* The first thing that a start leaves in the journal; then comes what fell due in between. */
static enum err note_up(struct provider *provider)
{
    struct event event = event_new(EVENT_UP, 0, clock_now_ms(&provider->clock));
    json_set_int(event.data, "port", provider->doors.port);
    json_set_int(event.data, "recovered", provider->recovered);
    json_set_string(event.data, "dialect", provider->core.dialect.name.text);
    json_set_string(event.data, "key", provider->core.dialect.key.text);
    json_set_int(event.data, "key_ttl", provider->core.dialect.ttl_ms);
    enum err err = journal_add(provider->core.journal, "", event);
    if (err == ERR_OK)
        settle_due(&provider->core);
    return err;
}

enum err provider_open(struct provider **provider, struct loop *loop,
                       const struct provider_options *options, struct err_text *why)
{
    enum err err = open_with_listener(provider, loop, options, options->observe,
                                      options->observe_context, why);
    if (err != ERR_OK)
        return err;
    err = note_up(*provider);
    if (err == ERR_OK)
        return ERR_OK;
    err = err_say(why, err, "cannot write to the database: %s",
                  store_message((*provider)->core.store));
    provider_close(*provider);
    *provider = NULL;
    return err;
}

int64_t provider_now_ms(const struct provider *provider)
{
    return clock_now_ms(&provider->clock);
}

int provider_port(const struct provider *provider)
{
    return provider->doors.port;
}

int provider_control_port(const struct provider *provider)
{
    return provider->doors.control_port;
}

const char *provider_webhook_secret(const struct provider *provider, int number)
{
    CHECK(number >= 0 && number < PROVIDER_WEBHOOKS);
    return provider->standing[number].secret;
}

void provider_close(struct provider *provider)
{
    if (provider == NULL)
        return;
    doors_close(&provider->doors);
    duplicate_forget(&provider->core);
    settle_stop(&provider->core);
    sender_free(provider->core.sender);
    for (int i = 0; i < PROVIDER_WEBHOOKS; i++)
        endpoint_release(&provider->standing[i]);
    rate_forget(&provider->core);
    live_faults_free(provider->core.live);
    journal_free(provider->core.journal);
    store_close(provider->core.store);
    free(provider);
}

/* --- for the harness -------------------------------------------------------------------------- */

/* One provider after the other, in one process. */
struct served {
    struct loop *loop;
    struct remote *remote;
    struct provider_options options;
    char *db; /* of the options, or NULL */
    void (*log_to)(const char *path);
    struct provider *provider; /* NULL: it rests */
};

static void report(void *context, const struct event *event)
{
    const struct served *served = context;
    remote_report(served->remote, event);
}

static void advance_for_harness(void *context, int64_t ms)
{
    struct provider *provider = ((struct served *)context)->provider;
    if (advance(provider, ms) == ERR_OK)
        return;
    log_error("cannot move the clock");
    core_broken(&provider->core);
}

static void tell_broken(void *context, const char *why)
{
    const struct served *served = context;
    remote_broken(served->remote, why);
}

static struct remote_rest drain_for_harness(void *context)
{
    struct provider *provider = ((struct served *)context)->provider;
    struct remote_rest rest = {0};
    doors_drain(&provider->doors);
    sender_look(provider->core.sender);
    rest.webhooks = sender_under_way(provider->core.sender);
    if (charge_count_pending(provider->core.store, &rest.processing) != ERR_OK)
        core_broken(&provider->core);
    return rest;
}

static void heal_for_harness(void *context)
{
    struct provider *provider = ((struct served *)context)->provider;
    struct store *store = provider->core.store;
    doors_listen(&provider->doors);
    enum err err = stale_forget(store, INT64_MAX);
    if (err == ERR_OK)
        err = delivery_let_all_go(store, clock_now_ms(&provider->clock));
    if (err != ERR_OK)
        core_broken(&provider->core);
    sender_poke(provider->core.sender);
}

static void harness_gone(void *context)
{
    (void)context;
    _exit(0);
}

static void serve(struct served *served, uint64_t journal_after)
{
    struct err_text why = {0};
    enum err err =
        open_with_listener(&served->provider, served->loop, &served->options, report, served, &why);
    if (err == ERR_OK) {
        served->provider->core.broken = tell_broken;
        served->provider->core.broken_context = served;
        err = journal_replay(served->provider->core.journal, journal_after);
    }
    if (err == ERR_OK)
        err = note_up(served->provider);
    if (err == ERR_OK)
        return;
    log_error("%s", why.text[0] == '\0' ? err_name(err) : why.text);
    _exit(1);
}

static void rest(void *context)
{
    struct served *served = context;
    provider_close(served->provider);
    served->provider = NULL;
}

static void serve_again(void *context, const struct json *message)
{
    struct served *served = context;
    CHECK(served->provider == NULL);
    mem_set_string(&served->db, json_get_string(message, "db"));
    served->options.db = served->db;
    served->options.port = (int)json_get_int(message, "port", 0);
    served->log_to(json_get_string(message, "log"));
    serve(served, 0);
}

_Noreturn void provider_serve_remote(int fd, uint64_t journal_after,
                                     const struct provider_options *options,
                                     void (*log_to)(const char *path))
{
    struct served served = {.loop = loop_new(), .options = *options, .log_to = log_to};
    served.remote = remote_open(served.loop, fd,
                                (struct remote_handlers){.advance = advance_for_harness,
                                                         .drain = drain_for_harness,
                                                         .heal = heal_for_harness,
                                                         .rest = rest,
                                                         .serve = serve_again,
                                                         .gone = harness_gone,
                                                         .context = &served});
    served.options.faults = remote_faults(served.remote);
    serve(&served, journal_after);
    loop_run(served.loop);
    _exit(0);
}
