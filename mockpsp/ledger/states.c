#include "states.h"

#include "check.h"

#include <string.h>

const char *states_name(const struct states *states, unsigned state)
{
    CHECK(state < states->count);
    return states->names[state];
}

unsigned states_parse(const struct states *states, const char *name)
{
    unsigned state = 0;
    while (state < states->count && strcmp(states->names[state], name) != 0)
        state++;
    CHECK(state < states->count);
    return state;
}

bool states_may_move(const struct states *states, unsigned from, unsigned to)
{
    CHECK(from < states->count && to < states->count);
    return ((states->moves[from] >> to) & 1U) != 0;
}

unsigned states_move(const struct states *states, unsigned from, unsigned to)
{
    CHECK(states_may_move(states, from, to));
    return to;
}
