#include "settings.h"

#include "command_line.h"
#include "duration.h"
#include "json.h"
#include "webhook_url.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_PORT 12111

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

static enum err read_token_ttl(const char *text, struct settings *settings, struct err_text *why)
{
    struct err_text inner = {0};
    if (duration_parse(text, &settings->provider.token_ttl_ms, &inner) != ERR_OK)
        return err_say(why, ERR_INVALID, "--token-ttl: %s", inner.text);
    /* Clients are told of it in whole seconds. */
    if (settings->provider.token_ttl_ms < 1000)
        return err_say(why, ERR_INVALID, "--token-ttl is 1s at least");
    return ERR_OK;
}

static enum err read_key_ttl(const char *text, struct settings *settings, struct err_text *why)
{
    struct err_text inner = {0};
    if (duration_parse(text, &settings->provider.key_ttl_ms, &inner) != ERR_OK)
        return err_say(why, ERR_INVALID, "--key-ttl: %s", inner.text);
    if (settings->provider.key_ttl_ms == 0)
        return err_say(why, ERR_INVALID, "--key-ttl is longer than 0");
    return ERR_OK;
}

static enum err read_rate_limit(const char *text, struct settings *settings, struct err_text *why)
{
    return limits_set(&settings->provider.limits, "rate", text, why);
}

static enum err read_locks(const char *text, struct settings *settings, struct err_text *why)
{
    return limits_set(&settings->provider.limits, "locks", text, why);
}

static enum err read_list_lag(const char *text, struct settings *settings, struct err_text *why)
{
    return limits_set(&settings->provider.limits, "list_lag", text, why);
}

static enum err read_read_lag(const char *text, struct settings *settings, struct err_text *why)
{
    return limits_set(&settings->provider.limits, "read_lag", text, why);
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

static enum err read_host(const char *text, struct settings *settings, struct err_text *why)
{
    (void)why;
    settings->provider.host = strcmp(text, "localhost") == 0 ? "127.0.0.1" : text;
    return ERR_OK;
}

static enum err read_faults(const char *text, struct settings *settings, struct err_text *why)
{
    (void)why;
    settings->faults = text;
    return ERR_OK;
}

static enum err read_seed(const char *text, struct settings *settings, struct err_text *why)
{
    return read_number("seed", text, UINT64_MAX, &settings->provider.seed, why);
}

static enum err read_webhook(const char *text, struct settings *settings, struct err_text *why)
{
    struct provider_options *provider = &settings->provider;
    for (int i = 0; i < provider->webhook_count; i++)
        if (strcmp(provider->webhook_urls[i], text) == 0)
            return err_say(why, ERR_INVALID, "--webhook %s was given twice", text);
    if (provider->webhook_count == PROVIDER_WEBHOOKS)
        return err_say(why, ERR_INVALID, "--webhook can be given %d times", PROVIDER_WEBHOOKS);
    provider->webhook_urls[provider->webhook_count++] = text;
    return ERR_OK;
}

static enum err read_webhook_secret(const char *text, struct settings *settings,
                                    struct err_text *why)
{
    settings->provider.webhook_secret = text;
    if (!webhook_secret_is_good(text))
        return err_say(why, ERR_INVALID, "--webhook-secret starts with whsec_ and goes on");
    return ERR_OK;
}

static enum err read_webhook_any_host(const char *text, struct settings *settings,
                                      struct err_text *why)
{
    (void)text;
    (void)why;
    settings->provider.webhook_any_host = true;
    return ERR_OK;
}

static enum err read_port_file(const char *text, struct settings *settings, struct err_text *why)
{
    (void)why;
    settings->port_file = text;
    return ERR_OK;
}

static enum err read_tls_cert(const char *text, struct settings *settings, struct err_text *why)
{
    (void)why;
    settings->provider.tls_cert = text;
    return ERR_OK;
}

static enum err read_tls_key(const char *text, struct settings *settings, struct err_text *why)
{
    (void)why;
    settings->provider.tls_key = text;
    return ERR_OK;
}

static enum err read_socket(const char *text, struct settings *settings, struct err_text *why)
{
    (void)why;
    settings->provider.socket = text;
    return ERR_OK;
}

static enum err read_control_port(const char *text, struct settings *settings, struct err_text *why)
{
    uint64_t port = 0;
    enum err err = read_number("control-port", text, 65535, &port, why);
    settings->provider.control_port = (int)port;
    settings->provider.control_apart = true;
    return err;
}

static enum err read_control_token(const char *text, struct settings *settings,
                                   struct err_text *why)
{
    settings->provider.control_token = text;
    if (strlen(text) < 8)
        return err_say(why, ERR_INVALID, "--control-token takes at least 8 characters");
    return ERR_OK;
}

static enum err read_quiet(const char *text, struct settings *settings, struct err_text *why)
{
    (void)text;
    (void)why;
    settings->quiet = true;
    return ERR_OK;
}

static enum err read_luals_meta(const char *text, struct settings *settings, struct err_text *why)
{
    (void)text;
    (void)why;
    settings->luals_meta = true;
    return ERR_OK;
}

static enum err read_help(const char *text, struct settings *settings, struct err_text *why)
{
    (void)text;
    (void)why;
    settings->help = true;
    return ERR_OK;
}

static enum err read_version(const char *text, struct settings *settings, struct err_text *why)
{
    (void)text;
    (void)why;
    settings->version = true;
    return ERR_OK;
}

static const struct row {
    const char *name;
    const char *value; /* NULL: it takes none */
    const char *help;
    enum err (*read)(const char *text, struct settings *settings, struct err_text *why);
} ROWS[] = {
    {"port", "N", "listen on port N, 0 takes a free one (12111)", read_port},
    {"host", "ADDRESS", "listen on this numeric address (127.0.0.1)", read_host},
    {"socket", "PATH", "listen on a Unix socket as well", read_socket},
    {"db", "FILE", "keep all state in FILE, a SQLite database (:memory:)", read_db},
    {"faults", "FILE", "take faults from a Lua file, again when it changes; its `run` is ignored",
     read_faults},
    {"dialect", "NAME", "idempotency as this provider does it, see below (stripe)", read_dialect},
    {"key-ttl", "D", "life of an idempotency key: 24h, 90m, ... (the dialect's)", read_key_ttl},
    {"token-ttl", "D", "life of an access token of POST /oauth/token (1h)", read_token_ttl},
    {"clock", "KIND", "real, or manual: stands still until it is moved (real)", read_clock},
    {"rate-limit", "N/s", "429 rate_limit for an account that sends more (off)", read_rate_limit},
    {"locks", "on|off", "429 lock_timeout for two requests on one object (on)", read_locks},
    {"list-lag", "D", "lists show only what was made so long ago (0)", read_list_lag},
    {"read-lag", "D", "the same for retrieval by id (0)", read_read_lag},
    {"seed", "N", "ids and random choices come from it (1)", read_seed},
    {"api-key", "KEY", "accept this key only", read_api_key},
    {"webhook", "URL", "send the events of all accounts there; may be given several times",
     read_webhook},
    {"webhook-secret", "S", "sign them with whsec_... (one made from the seed)",
     read_webhook_secret},
    {"webhook-any-host", NULL, "webhooks may leave this machine", read_webhook_any_host},
    {"tls-cert", "FILE", "speak TLS with this certificate (PEM); needs --tls-key", read_tls_cert},
    {"tls-key", "FILE", "the certificate's private key (PEM)", read_tls_key},
    {"control-port", "N", "serve /_mock/ on this port alone, 0 takes a free one",
     read_control_port},
    {"control-token", "T", "/_mock/ wants the header X-Mock-Token: T", read_control_token},
    {"port-file", "FILE", "write the port there once it listens; removed at the end",
     read_port_file},
    {"quiet", NULL, "no line per request, and nothing but warnings and errors on stderr",
     read_quiet},
    {"luals-meta", NULL, "writes the words of a scenario for a Lua language server",
     read_luals_meta},
    {"help", NULL, "this text", read_help},
    {"version", NULL, "the version", read_version},
};

#define ROW_COUNT (sizeof ROWS / sizeof ROWS[0])

static struct command_line line(struct command_option options[ROW_COUNT])
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        options[i] = (struct command_option){0, ROWS[i].name, ROWS[i].value, ROWS[i].help};
    return (struct command_line){"mockpsp", options, (int)ROW_COUNT};
}

void settings_help(struct buf *out)
{
    struct command_option options[ROW_COUNT];
    struct command_line all = line(options);
    command_line_help(&all, out);
}

struct json *settings_describe(void)
{
    struct json *list = json_array();
    for (size_t i = 0; i < ROW_COUNT; i++) {
        struct json *one = json_object();
        json_set_string(one, "name", ROWS[i].name);
        json_set_string(one, "value", ROWS[i].value);
        json_set_string(one, "help", ROWS[i].help);
        json_push(list, one);
    }
    return list;
}

static enum err check(const struct settings *settings, struct err_text *why)
{
    const struct provider_options *provider = &settings->provider;
    if ((provider->tls_cert == NULL) != (provider->tls_key == NULL))
        return err_say(why, ERR_INVALID, "--tls-cert and --tls-key go together");
    if (provider->webhook_secret != NULL && provider->webhook_count == 0)
        return err_say(why, ERR_INVALID, "--webhook-secret needs --webhook");
    for (int i = 0; i < provider->webhook_count; i++)
        if (webhook_url_check(provider->webhook_urls[i], provider_webhooks_leave(provider), why) !=
            ERR_OK)
            return ERR_INVALID;
    return ERR_OK;
}

enum err settings_read(char *const *argv, struct settings *settings, struct err_text *why)
{
    struct command_option options[ROW_COUNT];
    struct command_line all = line(options);
    *settings = (struct settings){.provider = {.port = DEFAULT_PORT, .seed = 1}};
    for (; *argv != NULL; argv++) {
        int row;
        const char *value;
        if ((*argv)[0] != '-' || (*argv)[1] == '\0')
            return err_say(why, ERR_INVALID, "unexpected argument '%s' (see mockpsp --help)",
                           *argv);
        enum err err = command_line_read(&all, &argv, &row, &value, why);
        if (err == ERR_OK)
            err = ROWS[row].read(value, settings, why);
        if (err != ERR_OK)
            return err;
    }
    settings->provider.durable = settings->provider.db != NULL;
    return check(settings, why);
}
