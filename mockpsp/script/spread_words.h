/* The words that make a spread of durations (wire/spread.h), for actions to take. */
#ifndef SPREAD_WORDS_H
#define SPREAD_WORDS_H

struct lua_State;

/* Defines them as globals, inside a body (see luahost.h). */
void spread_words_define(struct lua_State *lua);

#endif
