/* The fields of a fault, each once: from this list they are documented and told to editors, and an
 * error names them. They are read in schedule.c (`when`, which is no data, in script/luarules.c).
 */
#ifndef FAULT_FIELD_H
#define FAULT_FIELD_H

/* X(name, type for a Lua language server, what it means) */
#define FAULT_FIELD_LIST(X)                                                                        \
    X(at, "Failpoint", "where it strikes")                                                         \
    X(act, "Action|Action[]", "what happens there: an action, or several in their order")          \
    X(on, "string",                                                                                \
      "method and path, a star for any: \"POST /v1/charges*\"; at webhook the type of an event: "  \
      "\"charge.*\"; left out: all")                                                               \
    X(pays, "true", "only requests that move money if they succeed")                               \
    X(attempt, "integer|integer[]",                                                                \
      "which of the matching requests (at webhook: webhooks) of its order, 1 to 64")               \
    X(nth, "integer", "which of the matching requests, or webhooks, of the run")                   \
    X(times, "integer", "strikes so often, then no more")                                          \
    X(warm, "boolean", "true: not the first request on its connection; false: the first")          \
    X(order, "string", "only the order with this id")

#endif
