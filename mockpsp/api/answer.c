#include "answer.h"

#include "route.h"

#include <stddef.h>

#define DEFAULT_VERSION "2024-06-20"

/* Whether a retry could still change anything; NULL leaves it to the client. */
static const char *should_retry(const struct exchange *x)
{
    int status = x->reply.status;
    if (!route_writes(x) || status >= 500 || status == 409 || status == 429)
        return NULL;
    return "false";
}

static void add_header(struct exchange *x, const char *name, const char *value)
{
    /* What a fault has put there stays. */
    if (value != NULL && json_get(x->reply.headers, name) == NULL)
        reply_header(&x->reply, name, value);
}

static void add_marker(struct exchange *x, const struct dialect_text *name)
{
    if (name->text[0] != '\0')
        add_header(x, name->text, "true");
}

static void add_key_headers(struct exchange *x)
{
    const struct dialect *dialect = &x->core->dialect;
    if (dialect->echo.text[0] != '\0')
        add_header(x, dialect->echo.text, x->attempt.key);
    add_header(x, "Original-Request", x->replayed ? x->original_request : x->attempt.request_id);
    if (x->replayed)
        add_marker(x, &dialect->marker);
    if (x->in_flight)
        add_marker(x, &dialect->transient);
}

void answer_add_headers(struct exchange *x)
{
    const char *version = request_header(&x->request, "Stripe-Version");
    reply_encode(&x->reply);
    add_header(x, "Content-Type", reply_media_type(&x->reply));
    add_header(x, "Cache-Control", "no-cache, no-store");
    add_header(x, "Request-Id", x->attempt.request_id);
    add_header(x, "Stripe-Version", version == NULL || x->withheld ? DEFAULT_VERSION : version);
    add_header(x, "Stripe-Should-Retry", should_retry(x));
    if (x->use.key != NULL)
        add_key_headers(x);
}
