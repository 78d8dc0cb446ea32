/* What the client said, and what it was to do: a file with a line of JSON per claim. */
#ifndef JUDGE_CLAIMS_H
#define JUDGE_CLAIMS_H

#include "err.h"
#include "history.h"
#include "order.h"

/* A zeroed one is empty. */
struct judge_claims {
    struct orders orders;  /* whose amount and currency were given */
    struct history events; /* the claims, in their order */
};

/* Reads FILE ("-": standard input), each line like
 *   {"order":"…","outcome":"succeeded|failed|unknown","payment":"pi_…",
 *    "amount":1234,"currency":"usd"}
 * of which only the order and one of outcome and amount are needed. ERR_NOT_FOUND, ERR_IO or
 * ERR_INVALID, with file, line and remedy in WHY, leave CLAIMS zeroed. */
enum err judge_claims_read(const char *file, struct judge_claims *claims,
                           struct err_text *why) MUST_CHECK;

void judge_claims_release(struct judge_claims *claims);

#endif
