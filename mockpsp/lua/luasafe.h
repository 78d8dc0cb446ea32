/* The libraries that a script may use: lists of what is allowed, and bounds for those functions
 * that can compute for ever in one call, where no hook reaches them.
 *
 * What is not here, and why:
 *   io, os, debug, package, load, require   a script decides about faults, it touches nothing else
 *   coroutine                               nothing to wait for
 *   setmetatable, getmetatable, raw*        metamethods run where limits do not reach (__gc), and
 * make library functions loop (__len) xpcall                                  its handler runs
 * where limits do not reach math.randomseed                         the run's seed decides */
#ifndef LUASAFE_H
#define LUASAFE_H

#include <stddef.h>
#include <stdint.h>

struct lua_State;

/* Fills the globals of a new state. May raise a Lua error. */
void luasafe_open(struct lua_State *lua, uint64_t seed);

/* How many steps Lua's matcher may take in the worst case with a PATTERN of LENGTH bytes, when it
 * starts STARTS times on a text of TEXT_LENGTH bytes. */
double luasafe_pattern_cost(const char *pattern, size_t length, double starts, size_t text_length);

#endif
