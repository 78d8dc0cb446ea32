/* A Lua state that cannot do harm: no files, no processes, no clock, a bounded share of memory and
 * of computing time, and always an answer to "what went wrong, and in which line".
 *
 * Whoever works on the state does so in a body: a C function that runs protected, inside the
 * limits. A Lua error of any kind ends the body and comes out as ERR_SCRIPT with "file:line: what"
 * and a traceback. Nothing else may touch the state. */
#ifndef LUAHOST_H
#define LUAHOST_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct lua_State;
struct luahost;

/* The limits, each per body but for the memory. A fault that needs more is a mistake. */
#define LUAHOST_MEMORY_BYTES ((size_t)64 << 20)
#define LUAHOST_INSTRUCTIONS 10000000
#define LUAHOST_CPU_MS       1000
#define LUAHOST_STUCK_MS     2000 /* more, inside one library call: the process ends, status 2 */

/* A new state for the script FILE (copied; only errors need it). SEED decides math.random. */
struct luahost *luahost_new(const char *file, uint64_t seed);
void luahost_free(struct luahost *host); /* NULL is fine */

const char *luahost_file(const struct luahost *host);

/* FILE as Lua shortens it in front of its own messages: "b10_lost.lua". */
const char *luahost_chunk(const struct luahost *host);

/* Works on the state; what it leaves on the stack is thrown away. It may raise any Lua error. */
typedef int luahost_body(struct lua_State *lua);

/* Runs BODY. Bodies may be nested: a body may, while it is outside (see below), let others run. */
enum err luahost_run(struct luahost *host, luahost_body *body, void *context,
                     struct err_text *why) MUST_CHECK;

/* Inside a body, or in a C function called from one: whose state this is, and the CONTEXT (the
 * latter before the body has removed it from the stack's bottom). */
struct luahost *luahost_of(struct lua_State *lua);
void *luahost_context(struct lua_State *lua);

/* Around waiting for the outside world inside a body, so that it does not count as the script's. */
void luahost_leave(struct luahost *host);
void luahost_enter(struct luahost *host);

/* In a body: lets THREAD, a coroutine of this state, go on with the COUNT values on top of its
 * stack (and the function below them, when it has not begun), inside the same limits. True: it
 * waits (it has yielded), false: it has returned. An error in it ends the body as one of its own.
 */
bool luahost_resume(struct lua_State *lua, struct lua_State *thread, int count);

/* Ends the innermost body with ERR and TEXT as they are; the script cannot catch it. */
_Noreturn void luahost_stop(struct lua_State *lua, enum err err, const char *text);

/* A script may consist of several files (see luahost_add_file), and a place is a line in one of
 * them: a number, so that it can travel in tables and rules as their "line". 0 is unknown; in FILE
 * itself it is the line. */

/* The place where the script called the function that is running, seen from LEVEL callers up (1:
 * the direct one); 0 when that is no code of the script's. */
int luahost_place(struct lua_State *lua, int level);

/* The place where the function on top of the stack, which it pops, is defined. */
int luahost_place_of_function(struct lua_State *lua);

/* The two halves of a PLACE; the file is the script's own when the place is unknown. */
const char *luahost_place_file(const struct luahost *host, int place);
int luahost_place_line(int place);

/* Raises "file:line: text"; an unknown PLACE leaves the line out. */
_Noreturn void luahost_fail(struct lua_State *lua, int place, const char *text);

/* Another file of the script: CHUNK is its name in Lua's messages (see luahost_push_code; at most
 * 59 bytes), FILE what people open. Both are copied. */
void luahost_add_file(struct luahost *host, const char *chunk, const char *file);

/* The other files, from 0 in the order in which they came; NULL after the last. */
const char *luahost_other_file(const struct luahost *host, size_t n);

/* Compiles TEXT (never bytecode) and pushes it as a function, or what is wrong with it: false then,
 * and lua_error is to follow. NAME as in luahost_chunk. */
bool luahost_compile(struct lua_State *lua, const char *text, size_t length, const char *name);

/* The same, but raises what is wrong. */
void luahost_push_code(struct lua_State *lua, const char *text, size_t length, const char *name);

#endif
