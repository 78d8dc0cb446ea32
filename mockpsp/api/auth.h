/* Who is asking: the API key, as Bearer token or as user name of Basic, or a token made from it. */
#ifndef AUTH_H
#define AUTH_H

#include "exchange.h"

/* Sets x->attempt.account, or replies 401. A key that is not of test mode is never repeated in the
 * answer. */
void auth_check(struct exchange *x);

/* "user:password" of Basic, to be freed; NULL when REQUEST has another scheme or none. */
char *auth_basic(const struct request *request);

/* The account that REQUEST's Authorization names, whoever that is; NULL without. To be freed. */
char *auth_account(const struct request *request);

#endif
