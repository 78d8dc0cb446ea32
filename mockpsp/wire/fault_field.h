/* The fields of a fault, each once: from this list they are documented and told to editors, and an
 * error names them. They are read in fault_field.c (`when`, which is no data, in
 * script/luarules.c). */
#ifndef FAULT_FIELD_H
#define FAULT_FIELD_H

#include "err.h"
#include "fault_rule.h"
#include "json.h"

/* X(name, type for a Lua language server, what it means) */
#define FAULT_FIELD_LIST(X)                                                                        \
    X(at, "Failpoint", "where it strikes")                                                         \
    X(act, "Action|Action[]", "what happens there: an action, or several in their order")          \
    X(on, "string|string[]",                                                                       \
      "method and path, or several: \"POST /v1/charges*\", \"POST /v1/charges/{id}/capture\"; at " \
      "webhook the type of an event: \"charge.*\"; left out: all")                                 \
    X(pays, "true", "only requests that move money if they succeed")                               \
    X(order, "string", "only the order with this id")                                              \
    X(warm, "boolean", "true: not the first request on its connection; false: the first")          \
    X(cold, "true", "only the first request on a connection: as warm = false")                     \
    X(from, "string", "on the provider's clock, so long after its start; not before")              \
    X(to, "string", "on the provider's clock, so long after its start; not later")                 \
    X(attempt, "integer|integer[]",                                                                \
      "which of the matching requests (at webhook: webhooks) of its order, 1 to 64")               \
    X(nth, "integer",                                                                              \
      "which of the matching requests, or webhooks, of the run, or of what `per` names")           \
    X(burst, "{strikes: integer, of: integer}",                                                    \
      "the first so many of every so many matching requests of the run, or of what `per` names")   \
    X(per, "\"run\"|\"order\"|\"key\"|\"connection\"", "what nth and burst count by")              \
    X(chance, "number", "above 0, up to 1: how likely it then strikes, drawn from --seed")         \
    X(times, "integer", "strikes so often, then no more")                                          \
    X(optional, "true", "a run in which it never strikes may pass all the same")

/* Reads MEMBER, named after its field, into RULE. ERR_INVALID names what is wrong, and the nearest
 * right word. */
enum err fault_field_read(const struct json *member, struct fault_rule *rule,
                          struct err_text *why) MUST_CHECK;

#endif
