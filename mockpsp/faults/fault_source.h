/* Where faults come from: nowhere, a schedule, a Lua script, the control plane, or the harness at
 * the other end of a socket. Whoever asks at a failpoint cannot tell which of them answers. */
#ifndef FAULT_SOURCE_H
#define FAULT_SOURCE_H

#include "action.h"
#include "attempt.h"
#include "failpoint.h"

#include <stdbool.h>

/* ACTION is borrowed for the call; ACTION_PASS when nothing shall happen. */
typedef void fault_answer(void *context, const struct action *action);

struct fault_source_ops {
    /* Calls ANSWER with CONTEXT exactly once, now or in a later turn of the loop. Every attempt is
     * asked about at FAILPOINT_RECEIVED first (a delivery at FAILPOINT_WEBHOOK, and nowhere else),
     * and at each failpoint at most once; but when the answer had .more, once again when that
     * action is done. */
    void (*ask)(void *self, const struct attempt *attempt, enum failpoint at, fault_answer *answer,
                void *context);
    /* In place of the first question: somebody else strikes ATTEMPT when it is received. Counts it
     * all the same. NULL: it cannot; then it hears no more of this exchange. */
    void (*see)(void *self, const struct attempt *attempt);
    /* The exchange is over: forget ATTEMPT. */
    void (*end)(void *self, const struct attempt *attempt);
};

struct fault_source {
    const struct fault_source_ops *ops;
    void *self;
};

/* Nothing ever happens: the default. */
struct fault_source fault_source_none(void);

void fault_source_ask(struct fault_source source, const struct attempt *attempt, enum failpoint at,
                      fault_answer *answer, void *context);
/* False when SOURCE cannot. */
bool fault_source_see(struct fault_source source, const struct attempt *attempt);
void fault_source_end(struct fault_source source, const struct attempt *attempt);

#endif
