#include "describe.h"

#include "fingerprint.h"
#include "foreign.h"
#include "gate.h"
#include "mem.h"
#include "money.h"
#include "oauth.h"
#include "object_id.h"
#include "plain.h"
#include "secret.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What must not be written anywhere, or cannot. */
static void withhold(struct exchange *x)
{
    bool live_key = secret_in_request(&x->request, &x->params);
    x->attempt.live_key = live_key;
    x->withheld = live_key || !request_is_text(&x->request);
    if (live_key)
        reply_error(&x->reply,
                    (struct api_error){.status = 401,
                                       .message = "This is a test provider: a key of live mode "
                                                  "was sent and refused. Nothing of the request "
                                                  "was kept."});
    else if (x->withheld)
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .message = "Invalid encoding: the URL and the "
                                                             "Idempotency-Key have to be UTF-8."});
}

static bool has_type(const struct request *request, const char *word)
{
    const char *type = request_header(request, "Content-Type");
    return type != NULL && strcasestr(type, word) != NULL;
}

static enum err read_body(struct exchange *x, struct err_text *why)
{
    const struct buf *body = &x->request.body;
    if (body->len == 0)
        return ERR_OK;
    if (has_type(&x->request, "json") && x->reply.style == STYLE_STRIPE && !x->core->dialect.json)
        return err_say(why, ERR_INVALID,
                       "Invalid request (check that your POST content type is "
                       "application/x-www-form-urlencoded).");
    if (has_type(&x->request, "json"))
        return params_parse_json(body->data, body->len, &x->params, why);
    if (x->reply.style == STYLE_XML && has_type(&x->request, "xml"))
        return params_parse_xml(body->data, body->len, &x->params, why);
    return params_parse(body->data, body->len, &x->params, why);
}

static enum reply_style face_of(const char *path)
{
    if (oauth_path(path))
        return STYLE_OAUTH;
    if (foreign_path(path))
        return foreign_path_style(path);
    return plain_path(path) ? STYLE_PLAIN : STYLE_STRIPE;
}

void describe_read(struct exchange *x)
{
    struct err_text why;
    const char *query = x->request.query == NULL ? "" : x->request.query;
    x->reply.style = face_of(x->request.path);
    x->attempt.number = ++x->core->last_attempt;
    rng_init(&x->ids, rng_mix(x->core->seed, x->attempt.number));
    x->attempt.request_id = mem_strdup(object_id_make(&x->ids, "req_").text);
    x->attempt.account = mem_strdup("");
    enum err err = params_parse(query, strlen(query), &x->params, &why);
    if (err == ERR_OK)
        err = read_body(x, &why);
    if (err == ERR_OK)
        foreign_style(x);
    if (err != ERR_OK)
        reply_error(&x->reply, (struct api_error){.status = 400, .message = why.text});
    withhold(x);
}

/* Whose order it serves, by the first name that the client gave it; what only names a payment of
 * the plain face, or of a foreign one, by that one's order. To be freed. */
static char *order_of(const struct exchange *x)
{
    static const char *const stripe[] = {"metadata[order_id]", "client_reference_id", NULL};
    static const char *const plain[] = {"reference", "operation_id", "metadata[order_id]", NULL};
    bool is_plain = plain_path(x->request.path);
    const char *const *names = is_plain ? plain : stripe;
    char *order = foreign_order(x);
    if (order != NULL)
        return order;
    for (size_t i = 0; names[i] != NULL; i++)
        if (params_get(&x->params, names[i]) != NULL)
            return mem_strdup(params_get(&x->params, names[i]));
    return is_plain ? plain_order(x) : NULL;
}

/* Amount and currency are noted when they are such: nobody knows what else was put there. */
static void describe_params(struct attempt *attempt, const struct params *params)
{
    const char *amount = params_get(params, "amount");
    const char *currency = params_get(params, "currency");
    char *end = NULL;
    attempt->params = secret_blanked_params(params);
    attempt->currency = currency != NULL && strlen(currency) == 3 ? mem_strdup(currency) : NULL;
    for (char *c = attempt->currency; c != NULL && *c != '\0'; c++)
        *c = (char)tolower((unsigned char)*c);
    int64_t number = amount == NULL ? -1 : strtoll(amount, &end, 10);
    bool good = amount != NULL && *end == '\0' && number >= 0 && number <= MONEY_LARGEST;
    attempt->amount = good ? number : -1;
}

static char *fingerprint_of(const struct exchange *x)
{
    size_t count = x->params.count;
    struct fingerprint_field *fields = mem_alloc(count * sizeof *fields);
    for (size_t i = 0; i < count; i++)
        fields[i] = (struct fingerprint_field){x->params.list[i].name, x->params.list[i].value};
    struct crypto_digest digest =
        fingerprint_make(x->attempt.method, x->attempt.path, fields, count);
    free(fields);
    return mem_strdup(digest.hex);
}

static bool says(const struct exchange *x, const char *name, const char *value)
{
    const char *text = params_get(&x->params, name);
    return text != NULL && strcasecmp(text, value) == 0;
}

/* Fills pays and asks_issuer. */
static void describe_payment(const struct exchange *x, struct attempt *attempt)
{
    bool confirmed = says(x, "confirm", "true");
    switch (x->operation == NULL ? PAYS_NEVER : x->operation->pays) {
    case PAYS_ALWAYS:
        attempt->pays = attempt->asks_issuer = true;
        break;
    case PAYS_UNLESS_HELD:
        attempt->pays = !says(x, "capture", "false");
        attempt->asks_issuer = true;
        break;
    case PAYS_IF_CONFIRMED:
        attempt->pays = confirmed && !says(x, "capture_method", "manual");
        attempt->asks_issuer = confirmed;
        break;
    case ASKS_ALWAYS:
        attempt->asks_issuer = true;
        break;
    case ASKS_IF_CONFIRMED:
        attempt->asks_issuer = confirmed;
        break;
    case PAYS_NEVER:
        break;
    }
}

void describe_attempt(struct exchange *x)
{
    struct attempt *attempt = &x->attempt;
    attempt->connection = x->request.connection;
    attempt->on_connection = x->request.on_connection;
    attempt->peer_port = x->request.peer_port;
    attempt->amount = -1;
    attempt->method = mem_strdup(x->withheld ? "[withheld]" : x->request.method);
    attempt->path = mem_strdup(x->withheld ? "[withheld]" : x->request.path);
    if (x->withheld)
        return;
    if (x->operation != NULL)
        attempt->route = mem_printf("%s %s", x->operation->method, x->operation->path);
    describe_payment(x, attempt);
    attempt->key = gate_key(x);
    attempt->ignored = mem_strdup(gate_ignored(x));
    attempt->order = order_of(x);
    describe_params(attempt, &x->params);
    foreign_describe(x, attempt);
    attempt->fingerprint = fingerprint_of(x);
}
