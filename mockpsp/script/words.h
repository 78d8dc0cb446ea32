/* The words that a scenario is written in. */
#ifndef WORDS_H
#define WORDS_H

struct lua_State;

/* Defines them as globals, inside a body (see luahost.h): those of prelude.lua, and one per action
 * that makes the action's table. A name that is none of them is an error from then on. */
void words_define(struct lua_State *lua);

#endif
