/* The words that tell a script what has happened so far: `history` and `now()`.
 *
 *   #history, history[1], ipairs(history)      every event as a table of its own:
 *                                              {kind=, at=, request=, order=, data=}
 *   history.count {kind = "effect", order = …} how many of them; what is left out is any
 *   now()                                      ms since the provider's start, on its clock
 *
 * Nothing of it can be written to. */
#ifndef LUAHISTORY_H
#define LUAHISTORY_H

#include "record.h"

struct lua_State;

/* In a body: defines them for RECORD, which lives as long as the state (NULL: nothing happens). */
void luahistory_open(const struct record *record, struct lua_State *lua);

#endif
