/* What a run comes to. Inconclusive is never pass: a fault that did not strike has tested nothing.
 */
#ifndef VERDICT_H
#define VERDICT_H

#include <stdbool.h>

/* X(constant, name, exit status); from best to worst: where two meet, the worse one wins. A broken
 * scenario outweighs a failure, because a run that its author did not mean proves nothing. */
#define VERDICT_LIST(X)                                                                            \
    X(VERDICT_PASS, "pass", 0)                                                                     \
    X(VERDICT_INCONCLUSIVE, "inconclusive", 3)                                                     \
    X(VERDICT_FAIL, "fail", 1)                                                                     \
    X(VERDICT_BROKEN, "broken", 2)                                                                 \
    X(VERDICT_ERROR, "error", 4)

#define VERDICT_ENUM(constant, name, status) constant,
enum verdict { VERDICT_LIST(VERDICT_ENUM) VERDICT_COUNT };
#undef VERDICT_ENUM

const char *verdict_name(enum verdict verdict);
int verdict_status(enum verdict verdict);
enum verdict verdict_worse(enum verdict a, enum verdict b);

/* False when NAME is no verdict. */
bool verdict_parse(const char *name, enum verdict *verdict);

#endif
