/* A client file from the inside, for the files of this folder that share it:
 *
 *   client_file.c    loading it
 *   client_task.c    its functions at work
 *   words_*.c        what they can do: http, sh, sqlite */
#ifndef CLIENT_INTERNAL_H
#define CLIENT_INTERNAL_H

#include "client_file.h"
#include "client_task.h"

struct lua_State;
struct luahost;
struct luamodules;

struct client_file {
    struct luahost *host; /* NULL: it is a command alone */
    struct luamodules *modules;
    struct client_plan plan;
    int functions[CLIENT_FUNCTION_COUNT]; /* references, or LUA_NOREF */
    struct client_task *running;          /* whose coroutine takes a step right now, or NULL */
};

/* Something that a task waits for. */
struct task_wait {
    void *what;
    void (*cancel)(void *what);
};

/* In a C function of Lua's: the task that called it. Raises an error when no task runs. */
struct client_task *task_of(struct lua_State *lua);
const struct client_scene *task_scene(const struct client_task *task);

/* In the same, which then yields: the task waits from here on, until it is woken. */
void task_waits(struct client_task *task, struct task_wait wait);

/* The wait is over (not cancelled): the function that waited returns the values that PUSH puts on
 * the stack and counts. */
void task_wake(struct client_task *task, int (*push)(struct lua_State *lua, const void *values),
               const void *values);

/* The duration in the field or argument at INDEX, called NAME; STANDARD when it is nil. Raises an
 * error for what is none. */
int64_t task_duration(struct lua_State *lua, int index, const char *name, int64_t standard);

/* In a body: define their words. */
void words_http_open(struct lua_State *lua);
void words_sh_open(struct lua_State *lua);
void words_sqlite_open(struct lua_State *lua);

#endif
