/* `require` in a script: other Lua files, of the scenario's own directory and below it.
 *
 * require "lib.storms" runs lib/storms.lua, once per state, in an environment of its own that has
 * the same words, and returns what the file returned (true when that was nothing). Nothing outside
 * of the directory is reached: no absolute path, no "..", no link that leads out of it. */
#ifndef LUAMODULES_H
#define LUAMODULES_H

#define LUAMODULES_MOST  100 /* files of one script */
#define LUAMODULES_DEPTH 16  /* of files that require one another */

struct lua_State;
struct luahost;
struct luamodules;

struct luamodules *luamodules_new(struct luahost *host);
void luamodules_free(struct luamodules *modules); /* NULL is fine */

/* In a body: defines require. */
void luamodules_open(struct luamodules *modules, struct lua_State *lua);

/* In a body: gives the function on top of the stack, a whole file, globals of its own over the
 * words that all files have. */
void luamodules_own_globals(struct lua_State *lua);

#endif
