/* Access tokens, which stand for an account for a while. */
#ifndef ACCESS_TOKEN_H
#define ACCESS_TOKEN_H

#include "err.h"
#include "store.h"

#include <stdbool.h>
#include <stdint.h>

#define ACCESS_TOKEN_PREFIX "at_test_"

/* Whether TEXT looks like one. */
bool access_token_is(const char *text);

/* Writes TOKEN, good until EXPIRES_MS, and removes those that expired a day before NOW_MS: until
 * then an expired one is known as such. */
enum err access_token_insert(struct store *store, const char *token, const char *account,
                             int64_t now_ms, int64_t expires_ms) MUST_CHECK;

/* ACCOUNT is owned by the caller. ERR_NOT_FOUND leaves it NULL. */
enum err access_token_get(struct store *store, const char *token, char **account,
                          int64_t *expires_ms) MUST_CHECK;

#endif
