/* The words of a scenario beside its actions (wire/action.h) and the fields of a fault, each once:
 * from these lists they are registered, checked, documented and told to editors.
 *
 * Types are written as a Lua language server reads them (LuaCATS). */
#ifndef VOCABULARY_H
#define VOCABULARY_H

#include "buf.h"

/* X(name, type, what it is): the fields of `scenario { … }` */
#define SCENARIO_FIELD_LIST(X)                                                                     \
    X(title, "string", "one line: what goes wrong")                                                \
    X(orders, "integer", "how many, 1 to 1000; left out: what --orders says")                      \
    X(faults, "Fault[]|fun(req: Request): Action|Action[]|nil",                                    \
      "what goes wrong: a list, or a function that is asked at every failpoint")                   \
    X(dialect, "string|table", "whose way with idempotency; left out: what --dialect says")        \
    X(effects, "boolean",                                                                          \
      "true: it is about what a client does for a webhook, and proves nothing of one that never "  \
      "says")                                                                                      \
    X(clock, "\"both\"|\"provider\"",                                                              \
      "whose clock has to move; left out: the client's as well, where that can be done")           \
    X(queue, "Queue", "how the job queue delivers again; left out: as the client file says")       \
    X(run, "fun(world: World)", "how the run goes; left out: every order runs until it settles")

/* X(name, how it is pushed, its member, type, what it is): the fields of `req` */
#define REQUEST_FIELD_LIST(X)                                                                      \
    X(number, integer, number, "integer", "of the request, from 1")                                \
    X(method, string, method, "string", "POST, GET, …")                                            \
    X(path, string, path, "string", "without the query")                                           \
    X(route, string, route, "string", "POST /v1/charges/{id}, or nil for an unknown path")         \
    X(key, string, key, "string", "its idempotency key, or nil")                                   \
    X(order, string, order, "string", "whose order it serves, or nil")                             \
    X(amount, amount, amount, "integer", "minor units, or nil")                                    \
    X(currency, string, currency, "string", "lower case, or nil")                                  \
    X(account, string, account, "string", "the API key that it was sent with")                     \
    X(params, params, params, "table", "by their names on the wire: metadata[order_id]")           \
    X(connection, integer, connection, "integer", "number of its connection, from 1")              \
    X(on_connection, integer, on_connection, "integer", "1: the connection is cold")               \
    X(event, string, event, "string", "at webhook: the id of the event; else nil")                 \
    X(event_type, string, event_type, "string", "at webhook: charge.succeeded")                    \
    X(endpoint, string, endpoint, "string", "at webhook: the URL that it is sent to")              \
    X(delivery_attempt, integer, delivery_attempt, "integer",                                      \
      "at webhook: 1 when the event is sent there for the first time")

/* X(name, type, what it does): the methods of `world`, in harness/scenario/scenario.c */
#define WORLD_METHOD_LIST(X)                                                                       \
    X(start, "fun(self: World, order?: Order|string): World",                                      \
      "a client for every order that is not settled, one after the other; or for this one")        \
    X(wait, "fun(self: World): World", "until those clients have ended")                           \
    X(advance, "fun(self: World, by: string): World", "the provider's clock jumps: \"25h\"")       \
    X(work, "fun(self: World): World",                                                             \
      "the job queue delivers what is unknown until it is out of tries; the clock jumps over "     \
      "its pauses")                                                                                \
    X(settle, "fun(self: World): World",                                                           \
      "runs unknown orders again, as a job queue would, then once more without faults")

/* X(name, type, what it is): of each of `world.orders` */
#define ORDER_FIELD_LIST(X)                                                                        \
    X(id, "string", "as the client gets it in ORDER_ID")                                           \
    X(amount, "integer", "minor units, its own in every run")                                      \
    X(currency, "string", "lower case")

/* X(name, type, what it is): of each event in `history`, in luahistory.c */
#define EVENT_FIELD_LIST(X)                                                                        \
    X(kind, "string", "what happened: invoke, effect, fault, ok, fail, info, …")                   \
    X(at, "integer", "when, as now() tells it")                                                    \
    X(request, "integer", "number of the request it belongs to, or nil")                           \
    X(order, "string", "id of the order it belongs to, or nil")                                    \
    X(data, "table", "the rest, as in the journal")

/* For the editor: a file of definitions (---@meta) for a Lua language server, made from these lists
 * and from those of the actions, the spreads, the failpoints and the fields of a fault. */
void vocabulary_meta(struct buf *out);

/* For a person: the same as an indented list. */
void vocabulary_list(struct buf *out);

#endif
