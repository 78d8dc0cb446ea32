/* From the table of a client file to a plan. */
#ifndef CLIENT_FIELDS_H
#define CLIENT_FIELDS_H

#include "client_plan.h"

struct lua_State;

/* In a body (see luahost.h): reads the table on top of the stack, which `client { … }` has made,
 * into PLAN, which is zeroed. A mistake raises "file:line: what and remedy"; what PLAN holds then
 * is to be released all the same. The table is at the bottom of the stack afterwards. */
void client_fields_read(struct lua_State *lua, struct client_plan *plan);

void client_plan_release(struct client_plan *plan);

#endif
