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
#include "route.h"
#include "script.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFAULT_PORT 12111

#define EXIT_USAGE 2
#define EXIT_BROKE 4

struct settings {
    struct provider_options provider;
    const char *faults;
    const char *port_file;
    struct dialect dialect; /* what provider.dialect points to when it was asked for */
};

static const char USAGE[] =
    "usage: mockpsp [options]\n"
    "\n"
    "A Stripe-like payment provider for tests. It listens on loopback, accepts every API key that\n"
    "starts with sk_test_ (each one an account of its own), and fails on purpose when told to.\n"
    "\n"
    "  --port N          listen on port N, 0 takes a free one (12111)\n"
    "  --host ADDRESS    listen on this numeric address (127.0.0.1)\n"
    "  --db FILE         keep all state in FILE, a SQLite database (:memory:)\n"
    "  --faults FILE     take faults from a Lua file; its `run` is ignored\n"
    "  --dialect NAME    idempotency as this provider does it, see below (stripe)\n"
    "  --key-ttl D       life of an idempotency key: 24h, 90m, ... (the dialect's)\n"
    "  --clock KIND      real, or manual: stands still until it is moved (real)\n"
    "  --seed N          ids and random choices come from it (1)\n"
    "  --api-key KEY     accept this key only\n"
    "  --port-file FILE  write the port there once it listens; removed at the end\n"
    "  --quiet           say nothing but warnings and errors on stderr\n"
    "  --help, --version\n"
    "\n"
    "When it is ready it prints `mockpsp listening on http://HOST:PORT`. SIGINT and SIGTERM end "
    "it.\n"
    "Exit status: 0 ended by a signal, 2 usage or a broken Lua file, 4 it could not start.\n";

static void print_help(void)
{
    fputs(USAGE, stdout);
    puts("\nRequests it answers:");
    for (const struct operation *row = route_table(); row->method != NULL; row++)
        printf("  %-5s %s\n", row->method, row->path);
    puts("\nDialects:");
    for (int i = 0; dialect_number(i) != NULL; i++)
        printf("  %-16s keys in %s, live for %s\n", dialect_number(i)->name.text,
               dialect_number(i)->carrier == CARRIER_NONE ? "nothing" : dialect_number(i)->key.text,
               duration_format(dialect_number(i)->ttl_ms).text);
    puts("\nControl plane (with an Authorization header: of that account, else of all):");
#define PRINT_CONTROL(method, path, does) printf("  %-6s %-15s %s\n", method, path, does);
    CONTROL_LIST(PRINT_CONTROL)
#undef PRINT_CONTROL
}

enum option_code {
    OPTION_PORT = 256,
    OPTION_HOST,
    OPTION_DB,
    OPTION_FAULTS,
    OPTION_DIALECT,
    OPTION_KEY_TTL,
    OPTION_CLOCK,
    OPTION_SEED,
    OPTION_API_KEY,
    OPTION_PORT_FILE,
    OPTION_QUIET,
    OPTION_HELP,
    OPTION_VERSION
};

static const struct option OPTIONS[] = {
    {"port", required_argument, NULL, OPTION_PORT},
    {"host", required_argument, NULL, OPTION_HOST},
    {"db", required_argument, NULL, OPTION_DB},
    {"faults", required_argument, NULL, OPTION_FAULTS},
    {"dialect", required_argument, NULL, OPTION_DIALECT},
    {"key-ttl", required_argument, NULL, OPTION_KEY_TTL},
    {"clock", required_argument, NULL, OPTION_CLOCK},
    {"seed", required_argument, NULL, OPTION_SEED},
    {"api-key", required_argument, NULL, OPTION_API_KEY},
    {"port-file", required_argument, NULL, OPTION_PORT_FILE},
    {"quiet", no_argument, NULL, OPTION_QUIET},
    {"help", no_argument, NULL, OPTION_HELP},
    {"version", no_argument, NULL, OPTION_VERSION},
    {NULL, 0, NULL, 0},
};

static enum err read_number(const char *name, const char *text, uint64_t largest, uint64_t *number,
                            struct err_text *why)
{
    char *end;
    errno = 0;
    unsigned long long value = strtoull(text, &end, 10);
    if (errno != 0 || *end != '\0' || strspn(text, "0123456789") == 0 || value > largest)
        return err_say(why, ERR_INVALID, "--%s takes a number from 0 to %" PRIu64 ", not '%s'",
                       name, largest, text);
    *number = value;
    return ERR_OK;
}

static enum err read_port(const char *text, struct settings *settings, struct err_text *why)
{
    uint64_t port = 0;
    enum err err = read_number("port", text, 65535, &port, why);
    settings->provider.port = (int)port;
    return err;
}

static enum err read_clock(const char *text, struct settings *settings, struct err_text *why)
{
    settings->provider.manual_clock = strcmp(text, "manual") == 0;
    if (settings->provider.manual_clock || strcmp(text, "real") == 0)
        return ERR_OK;
    return err_say(why, ERR_INVALID, "--clock is real or manual, not '%s'", text);
}

static enum err read_key_ttl(const char *text, struct settings *settings, struct err_text *why)
{
    enum err err = duration_parse(text, &settings->provider.key_ttl_ms, why);
    if (err == ERR_OK && settings->provider.key_ttl_ms == 0)
        return err_say(why, ERR_INVALID, "--key-ttl is longer than 0");
    return err;
}

static enum err read_api_key(const char *text, struct settings *settings, struct err_text *why)
{
    settings->provider.api_key = text;
    if (strstr(text, "_live_") != NULL)
        return err_say(why, ERR_INVALID, "--api-key: keys of live mode have no place in a test");
    if ((strncmp(text, "sk_test_", 8) != 0 && strncmp(text, "rk_test_", 8) != 0) || text[8] == '\0')
        return err_say(why, ERR_INVALID, "--api-key takes a key that starts with sk_test_");
    return ERR_OK;
}

/* SQLite takes "" for a file that it deletes at the end: not what an empty variable meant. */
static enum err read_db(const char *text, struct settings *settings, struct err_text *why)
{
    if (*text == '\0')
        return err_say(why, ERR_INVALID, "--db takes the name of a file, or :memory:");
    settings->provider.db = strcmp(text, ":memory:") == 0 ? NULL : text;
    return ERR_OK;
}

static enum err read_dialect(const char *text, struct settings *settings, struct err_text *why)
{
    struct json *name = json_string(text);
    enum err err = dialect_from_json(name, &settings->dialect, why);
    settings->provider.dialect = &settings->dialect;
    json_free(name);
    return err;
}

/* One option with a value. */
static enum err read_option(int option, const char *text, struct settings *settings,
                            struct err_text *why)
{
    switch (option) {
    case OPTION_PORT:
        return read_port(text, settings, why);
    case OPTION_HOST:
        settings->provider.host = text;
        return ERR_OK;
    case OPTION_DB:
        return read_db(text, settings, why);
    case OPTION_FAULTS:
        settings->faults = text;
        return ERR_OK;
    case OPTION_DIALECT:
        return read_dialect(text, settings, why);
    case OPTION_KEY_TTL:
        return read_key_ttl(text, settings, why);
    case OPTION_CLOCK:
        return read_clock(text, settings, why);
    case OPTION_SEED:
        return read_number("seed", text, UINT64_MAX, &settings->provider.seed, why);
    case OPTION_API_KEY:
        return read_api_key(text, settings, why);
    default:
        settings->port_file = text;
        return ERR_OK;
    }
}

/* Fills SETTINGS, or ends the process: with help, or with what is wrong. */
static void read_arguments(int argc, char **argv, struct settings *settings)
{
    struct err_text why;
    int option;
    while ((option = getopt_long(argc, argv, "", OPTIONS, NULL)) != -1) {
        if (option == OPTION_HELP) {
            print_help();
            exit(EXIT_SUCCESS);
        } else if (option == OPTION_VERSION) {
            puts("mockpsp " MOCKPSP_VERSION);
            exit(EXIT_SUCCESS);
        } else if (option == OPTION_QUIET) {
            log_set_quiet(true);
        } else if (option == '?') {
            fputs("mockpsp: `mockpsp --help` lists the options\n", stderr);
            exit(EXIT_USAGE);
        } else if (read_option(option, optarg, settings, &why) != ERR_OK) {
            log_error("%s", why.text);
            exit(EXIT_USAGE);
        }
    }
    if (optind < argc) {
        log_error("unexpected argument '%s' (`mockpsp --help` lists the options)", argv[optind]);
        exit(EXIT_USAGE);
    }
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
        log_warn("listening on %s: whoever reaches this machine can use it, /_mock/ included",
                 host);
    printf("mockpsp listening on http://%s%s%s:%d\n", v6 ? "[" : "", host, v6 ? "]" : "", port);
    fflush(stdout);
}

static enum err serve(const struct settings *settings, struct loop *loop, struct err_text *why)
{
    struct provider *provider;
    enum err err = provider_open(&provider, loop, &settings->provider, why);
    if (err == ERR_OK && settings->port_file != NULL)
        err = write_port_file(settings->port_file, provider_port(provider), why);
    if (err == ERR_OK) {
        announce(settings, provider_port(provider));
        loop_run(loop);
        if (settings->port_file != NULL)
            unlink(settings->port_file);
    }
    provider_close(provider);
    return err;
}

int main(int argc, char **argv)
{
    struct settings settings = {.provider = {.port = DEFAULT_PORT, .seed = 1}};
    struct script *script = NULL;
    struct err_text why = {0};
    read_arguments(argc, argv, &settings);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* a file at its limit is a full disk: an error, not the end */
    if (settings.faults != NULL) {
        struct script_options options = {.seed = settings.provider.seed};
        if (script_load(settings.faults, &options, &script, &why) != ERR_OK) {
            log_error("%s", why.text);
            return EXIT_USAGE;
        }
        settings.provider.faults = script_faults(script);
    }
    settings.provider.durable = settings.provider.db != NULL;
    struct loop *loop = loop_new();
    loop_on_signal(loop, ended, loop);
    enum err err = serve(&settings, loop, &why);
    if (err != ERR_OK)
        log_error("%s", why.text);
    loop_free(loop);
    script_free(script);
    return err == ERR_OK ? EXIT_SUCCESS : EXIT_BROKE;
}
