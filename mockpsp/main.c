/* mockpsp: a payment provider that fails on purpose. */
#include "control.h"
#include "dialect.h"
#include "duration.h"
#include "err.h"
#include "json.h"
#include "log.h"
#include "loop.h"
#include "mem.h"
#include "provider.h"
#include "record.h"
#include "route.h"
#include "script_live.h"
#include "settings.h"
#include "standard_streams.h"
#include "terminal.h"
#include "vocabulary.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define EXIT_USAGE 2
#define EXIT_BROKE 4

#define MOST_RECORDED    10000 /* events that a script can look back on */
#define MOST_DESCRIPTORS 20000 /* twice the connections that the server takes */

static const char USAGE[] =
    "usage: mockpsp [options]\n"
    "\n"
    "A Stripe-like payment provider for tests. It listens on loopback, accepts every API key that\n"
    "starts with sk_test_ (each one an account of its own), and fails on purpose when told to.\n"
    "\n";

static const char ENDING[] =
    "\n"
    "When it is ready it prints `mockpsp listening on http://HOST:PORT`. SIGINT and SIGTERM end "
    "it.\n"
    "On a terminal each request is a line: time (UTC), what was asked, order and key, how it "
    "ended, "
    "how\nlong it took, which faults struck. TERM=dumb or NO_COLOR: without colours. To a pipe, or "
    "with\n--quiet: none of it.\n"
    "Exit status: 0 ended by a signal, 2 usage or a broken Lua file, 4 it could not start.\n"
    "A certificate for tests, in one command:\n"
    "  openssl req -x509 -newkey rsa:2048 -nodes -days 30 -subj /CN=localhost \\\n"
    "    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout key.pem -out cert.pem\n";

static void print_help(void)
{
    struct buf options = {0};
    settings_help(&options);
    printf("%s%s%s", USAGE, buf_string(&options), ENDING);
    buf_release(&options);
    puts("\nRequests it answers:");
    for (const struct operation *row = route_table(); row->method != NULL; row++)
        printf("  %-5s %s\n", row->method, row->path);
    puts("\nDialects:");
    for (int i = 0; dialect_number(i) != NULL; i++)
        printf("  %-16s keys in %s, live for %s\n", dialect_number(i)->name.text,
               dialect_number(i)->carrier == CARRIER_NONE ? "nothing" : dialect_number(i)->key.text,
               duration_format(dialect_number(i)->ttl_ms).text);
    puts("\nControl plane (with an Authorization header: of that account, else of all):");
#define PRINT_CONTROL(method, path, handler, does) printf("  %-6s %-26s %s\n", method, path, does);
    CONTROL_LIST(PRINT_CONTROL)
#undef PRINT_CONTROL
}

/* In one step, so that whoever waits for the file never reads half a number. */
static enum err write_port_file(const char *path, int port, struct err_text *why)
{
    char *temporary = mem_printf("%s.%d", path, (int)getpid());
    FILE *file = fopen(temporary, "w");
    int failed = file == NULL || fprintf(file, "%d\n", port) < 0;
    if (file != NULL && fclose(file) != 0)
        failed = 1;
    if (failed || rename(temporary, path) != 0) {
        err_say(why, ERR_IO, "cannot write the port to %s: %s", path, strerror(errno));
        unlink(temporary);
        free(temporary);
        return ERR_IO;
    }
    free(temporary);
    return ERR_OK;
}

/* Every connection takes a descriptor, and the usual soft limit is a thousand. */
static void raise_descriptor_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max < MOST_DESCRIPTORS ? limit.rlim_max : MOST_DESCRIPTORS;
    setrlimit(RLIMIT_NOFILE, &limit); /* when it is refused, the old one stands */
}

static void ended(void *context, int signal_number)
{
    (void)signal_number;
    loop_stop(context);
}

static void announce(const struct settings *settings, int port)
{
    const char *host = settings->provider.host == NULL ? "127.0.0.1" : settings->provider.host;
    bool v6 = strchr(host, ':') != NULL;
    if (strncmp(host, "127.", 4) != 0 && strcmp(host, "::1") != 0)
        log_warn("listening on %s: whoever reaches this machine can use it", host);
    printf("mockpsp listening on %s://%s%s%s:%d\n",
           settings->provider.tls_cert == NULL ? "http" : "https", v6 ? "[" : "", host,
           v6 ? "]" : "", port);
    fflush(stdout);
}

static int64_t clock_of_provider(void *provider)
{
    return provider_now_ms(provider);
}

static enum err serve(const struct settings *settings, struct loop *loop, struct record *record,
                      struct err_text *why)
{
    struct provider *provider;
    enum err err = provider_open(&provider, loop, &settings->provider, why);
    if (err == ERR_OK)
        record_set_clock(record, (struct clock_source){clock_of_provider, provider});
    if (err == ERR_OK && settings->port_file != NULL)
        err = write_port_file(settings->port_file, provider_port(provider), why);
    if (err == ERR_OK) {
        announce(settings, provider_port(provider));
        if (settings->provider.control_apart)
            printf("control plane on http://127.0.0.1:%d\n", provider_control_port(provider));
        for (int i = 0; i < settings->provider.webhook_count; i++)
            printf("webhooks to %s, signed with %s\n", settings->provider.webhook_urls[i],
                   provider_webhook_secret(provider, i));
        fflush(stdout);
        loop_run(loop);
        if (settings->port_file != NULL)
            unlink(settings->port_file);
    }
    provider_close(provider);
    return err;
}

/* Who is told of every event. */
struct audience {
    struct record *record;     /* for the script's `history`; NULL: there is no script */
    struct terminal *terminal; /* NULL: nobody watches */
};

static void tell_audience(void *context, const struct event *event)
{
    const struct audience *audience = context;
    if (audience->record != NULL)
        record_add(audience->record, event);
    if (audience->terminal != NULL)
        terminal_event(audience->terminal, event);
}

/* The exit status. */
static int play(struct settings *settings, struct loop *loop, struct record *record,
                struct audience *audience)
{
    struct script_options options = {.seed = settings->provider.seed, .record = record};
    struct script_live *script = NULL;
    struct err_text why = {0};
    if (settings->faults != NULL) {
        if (script_live_open(&script, loop, settings->faults, &options, &why) != ERR_OK) {
            log_error("%s", why.text);
            return EXIT_USAGE;
        }
        settings->provider.faults = script_live_faults(script);
        audience->record = record;
    }
    if (!settings->quiet && isatty(STDOUT_FILENO))
        audience->terminal = terminal_new(loop, STDOUT_FILENO, terminal_has_colour(STDOUT_FILENO));
    settings->provider.observe = tell_audience;
    settings->provider.observe_context = audience;
    loop_on_signal(loop, ended, loop);
    enum err err = serve(settings, loop, record, &why);
    if (err != ERR_OK)
        log_error("%s", why.text);
    terminal_free(audience->terminal);
    script_live_close(script);
    return err == ERR_OK ? EXIT_SUCCESS : EXIT_BROKE;
}

/* Prints what was asked for instead of serving; the exit status. */
static int tell(const struct settings *settings)
{
    if (settings->help) {
        print_help();
    } else if (settings->version) {
        puts("mockpsp " MOCKPSP_VERSION);
    } else {
        struct buf meta = {0};
        vocabulary_meta(&meta);
        fputs(buf_string(&meta), stdout);
        buf_release(&meta);
    }
    if (fflush(stdout) == 0 && !ferror(stdout))
        return EXIT_SUCCESS;
    log_error("cannot write it: %s", strerror(errno));
    return EXIT_BROKE;
}

int main(int argc, char **argv)
{
    struct settings settings;
    struct audience audience = {0};
    struct err_text why = {0};
    standard_streams_open();
    if (settings_read(argv + (argc > 0), &settings, &why) != ERR_OK) {
        log_error("%s", why.text);
        return EXIT_USAGE;
    }
    if (settings.help || settings.version || settings.luals_meta)
        return tell(&settings);
    log_set_quiet(settings.quiet);
    settings.provider.describe_options = settings_describe;
    raise_descriptor_limit();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file at its limit is a full disk: an error, not the end */
    struct loop *loop = loop_new();
    struct record *record = record_new(MOST_RECORDED);
    int status = play(&settings, loop, record, &audience);
    record_free(record);
    loop_free(loop);
    return status;
}
