/* What of the space was tried: for every request that was seen (its route, and the how-manieth of
 * its order) and every move that makes sense for it, what came of it. */
#ifndef COVERAGE_H
#define COVERAGE_H

#include "json.h"
#include "space.h"

#include <stddef.h>

/* X(name, what it means) from best known to least; of several, the first counts. */
#define CELL_STATE_LIST(X)                                                                         \
    X(broke, "struck, and an invariant broke")                                                     \
    X(survived, "struck, and nothing broke")                                                       \
    X(skipped, "the client is as after another move that was tried")                               \
    X(unsure, "struck, and it could not be told")                                                  \
    X(not_tried, "not tried")                                                                      \
    X(deeper, "came only behind as many faults as --depth allows, or a failure")                   \
    X(no_strike, "could not strike: no request came so far")

#define CELL_STATE_ENUM(name, what) CELL_##name,
enum cell_state { CELL_STATE_LIST(CELL_STATE_ENUM) CELL_STATE_COUNT };
#undef CELL_STATE_ENUM

const char *cell_state_name(enum cell_state state);
const char *cell_state_what(enum cell_state state);

struct cell {
    char *on;
    int attempt;
    enum move move;
    enum cell_state state;
    size_t schedules; /* how many ended with this move there, tried or not */
};

/* A zeroed one is empty. Its cells are in the order of on, attempt, move. */
struct coverage {
    struct cell *cells;
    size_t count;
    size_t of[CELL_STATE_COUNT];
};

/* Of all of SPACE that is there. */
struct coverage coverage_of(const struct space *space);

/* How many percent of what can strike has been tried, rounded down; 100 when nothing can. */
int coverage_percent(const struct coverage *coverage);

struct json *coverage_to_json(const struct coverage *coverage);
void coverage_release(struct coverage *coverage);

#endif
