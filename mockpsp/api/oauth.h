/* OAuth 2 client credentials (RFC 6749, 4.4): an API key is changed for a token that expires. */
#ifndef OAUTH_H
#define OAUTH_H

#include "exchange.h"

/* Whether PATH is where tokens are made: its errors are written as RFC 6749, 5.2 has them, and
 * idempotency keys mean nothing there. */
bool oauth_path(const char *path);

/* The client secret that a request for a token carries, which is an API key: the password of Basic,
 * or the parameter client_secret. NULL when there is none; to be freed. */
char *oauth_secret(const struct exchange *x);

#endif
