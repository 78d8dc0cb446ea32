/* The list of faults as a scenario writes it, taken apart: data, which becomes a schedule, and the
 * functions `when`, which stay in Lua. */
#ifndef LUARULES_H
#define LUARULES_H

#include "schedule.h"

struct lua_State;

/* A zeroed one is empty. */
struct luarules {
    struct schedule schedule;
    int *whens; /* one per rule: a reference into Lua's registry, or LUA_NOREF */
    int *lines; /* one per rule: where the script wrote it, as far as known */
};

/* In a body: reads the table at INDEX (absolute). LINE is where to point when nothing better is
 * known. Raises a Lua error that names the line and the remedy; what RULES holds then is to be
 * released. */
void luarules_read(struct luarules *rules, struct lua_State *lua, int index, int line);
void luarules_release(struct luarules *rules);

#endif
