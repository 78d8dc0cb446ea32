/* What all state machines of the ledger share. Each keeps its own enum, names and table of moves.
 *
 * A state that is not in the enum, a name that is not in the list and a move that is not in the
 * table are our bugs, and abort. */
#ifndef STATES_H
#define STATES_H

#include <stdbool.h>
#include <stddef.h>

struct states {
    const char *const *names; /* COUNT of them, as they stand in the database */
    const unsigned *moves;    /* from each state, the set that it may move to: bit S is state S */
    size_t count;
};

const char *states_name(const struct states *states, unsigned state);

/* The state called NAME. */
unsigned states_parse(const struct states *states, const char *name);

/* Whether the table of moves has FROM -> TO. */
bool states_may_move(const struct states *states, unsigned from, unsigned to);

/* TO, which FROM may move to. */
unsigned states_move(const struct states *states, unsigned from, unsigned to);

#endif
