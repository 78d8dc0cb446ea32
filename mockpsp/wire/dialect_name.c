#include "dialect_name.h"

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool is_token(const char *name)
{
    for (const char *c = name; *c != '\0'; c++)
        if (!isalnum((unsigned char)*c) && strchr("!#$%&'*+-.^_`|~", *c) == NULL)
            return false;
    return *name != '\0';
}

static bool is_one_of(const char *name, const char *const *list)
{
    for (; *list != NULL; list++)
        if (strcasecmp(name, *list) == 0)
            return true;
    return false;
}

const char *dialect_name_header(const char *name)
{
    static const char *const framing[] = {"Connection",
                                          "Content-Encoding",
                                          "Content-Length",
                                          "Content-Type",
                                          "Date",
                                          "Expect",
                                          "Host",
                                          "Keep-Alive",
                                          "Proxy-Connection",
                                          "Server",
                                          "TE",
                                          "Trailer",
                                          "Upgrade",
                                          "Transfer-Encoding",
                                          NULL};
    static const char *const secret[] = {
        "Authorization",      "Cookie",           "Proxy-Authorization",
        "Proxy-Authenticate", "Set-Cookie",       "X-API-Key",
        "X-Mock-Token",       "WWW-Authenticate", NULL};
    static const char *const ours[] = {"Cache-Control",       "Original-Request",
                                       "Request-Id",          "Retry-After",
                                       "Stripe-Account",      "Stripe-Rate-Limited-Reason",
                                       "Stripe-Should-Retry", "Stripe-Signature",
                                       "Stripe-Version",      NULL};
    if (!is_token(name))
        return "is no name of a header";
    if (is_one_of(name, framing))
        return "belongs to HTTP itself";
    if (is_one_of(name, secret))
        return "is where credentials are";
    return is_one_of(name, ours) ? "has a meaning of its own here" : NULL;
}

/* The last name in "card[number]". */
static size_t last_name(const char *field, const char **start)
{
    const char *bracket = strrchr(field, '[');
    *start = bracket == NULL ? field : bracket + 1;
    return strcspn(*start, "]");
}

const char *dialect_name_field(const char *name)
{
    static const char *const secret[] = {"account_number", "client_secret", "cvc", "cvv",
                                         "number",         "password",      NULL};
    const char *last;
    size_t length = last_name(name, &last);
    for (size_t i = 0; secret[i] != NULL; i++)
        if (strlen(secret[i]) == length && strncasecmp(last, secret[i], length) == 0)
            return "holds what must not be written down";
    return NULL;
}
