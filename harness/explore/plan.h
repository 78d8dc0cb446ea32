/* A plan: one schedule of exploration. How the jobs are delivered, and a list of choices, each a
 * move at a request that is known by its order, its route, and the how-manieth of them it is. It
 * says nothing of time, so that it means the same in every run. */
#ifndef PLAN_H
#define PLAN_H

#include "buf.h"
#include "err.h"
#include "json.h"
#include "move.h"

#include <stdbool.h>
#include <stddef.h>

/* X(name, what it is, faults in Lua, the body of run(world) in Lua; NULL: none is needed) */
#define DELIVERY_LIST(X)                                                                           \
    X(once, "each job is delivered once", NULL, NULL)                                              \
    X(again, "each job is delivered again when it is done", NULL,                                  \
      "        world:start():wait()\n"                                                             \
      "        for _, order in ipairs(world.orders) do\n"                                          \
      "            world:start(order):wait()\n"                                                    \
      "        end\n")                                                                             \
    X(in_an_outage, "the provider answers 503 to everything for an hour",                          \
      "        storm { rate = 1, to = \"1h\", with = respond(503) },\n",                           \
      "        world:start():wait()\n"                                                             \
      "        world:advance(\"1h\")\n"                                                            \
      "        world:start():wait()\n"                                                             \
      "        world:settle()\n")                                                                  \
    X(again_later, "each job is delivered again a day after it was done", NULL,                    \
      "        world:start():wait()\n"                                                             \
      "        world:advance(\"25h\")\n"                                                           \
      "        for _, order in ipairs(world.orders) do\n"                                          \
      "            world:start(order):wait()\n"                                                    \
      "        end\n")

#define DELIVERY_ENUM(name, what, faults, body) DELIVERY_##name,
enum delivery { DELIVERY_LIST(DELIVERY_ENUM) DELIVERY_COUNT };
#undef DELIVERY_ENUM

const char *delivery_name(enum delivery delivery);
const char *delivery_what(enum delivery delivery);

struct choice {
    enum move move;
    char *order;
    char *on; /* the route; at webhook the type of an event */
    int attempt;
    int generation; /* of its key, see trace.h; ANY_GENERATION: whichever it is */
};

/* A zeroed plan is a run in which nothing goes wrong. */
struct plan {
    enum delivery delivery;
    struct choice *choices;
    size_t count;
};

#define PLAN_MOST_ATTEMPT 64 /* what a fault can count to */
#define ANY_GENERATION    (-1)

/* Adds MOVE at PROBE. */
void plan_add(struct plan *plan, enum move move, const struct probe *probe);
void plan_remove(struct plan *plan, size_t choice);
struct plan plan_copy(const struct plan *plan);
void plan_release(struct plan *plan);

/* How many things go wrong. */
size_t plan_depth(const struct plan *plan);

/* CHOICE is about the moment of PROBE. */
bool choice_is_at(const struct choice *choice, const struct probe *probe);

/* The place of the moment of plan's last choice in TRACE, which comes of it; TRACE's count: it is
 * not there. */
size_t plan_reached(const struct plan *plan, const struct trace *trace);

/* The same plan has the same name: 12 hex digits. */
struct plan_name {
    char text[13];
};
struct plan_name plan_name(const struct plan *plan);

/* Appends the scenario that plays it with ORDERS orders, TITLE at its head. The first thing that
 * goes wrong has to: to what follows a client that does the right thing need not come. */
void plan_scenario(const struct plan *plan, const char *title, int orders, struct buf *out);

/* For a person: "drop() at after_commit of POST /v1/payment_intents, attempt 1 of order_1; …". */
void plan_describe(const struct plan *plan, struct buf *out);
void choice_describe(const struct choice *choice, struct buf *out);

struct json *plan_to_json(const struct plan *plan);
/* ERR_INVALID leaves a zeroed PLAN. */
enum err plan_from_json(const struct json *json, struct plan *plan) MUST_CHECK;

#endif
