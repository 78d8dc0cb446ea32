/* sh("…"): a command of the shell, a process of its own. */
#include "buf.h"
#include "client_internal.h"
#include "mem.h"
#include "proc.h"

#include <lauxlib.h>
#include <lua.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#define TIMEOUT_MS  10000
#define MOST_OUTPUT ((size_t)1 << 20) /* bytes; the rest is thrown away */

/* As timeout(1) and shells say it. */
#define STATUS_TIMED_OUT 124
#define STATUS_SIGNALLED 128

struct command {
    struct client_task *task;
    struct proc *proc;
    struct loop_timer *timer;
    bool late;
    struct buf output;
    struct proc_end end;
};

static void command_free(void *what)
{
    struct command *command = what;
    proc_free(command->proc);
    loop_timer_stop(command->timer);
    buf_release(&command->output);
    free(command);
}

static int push_result(lua_State *lua, const void *values)
{
    const struct command *command = values;
    lua_pushlstring(lua, buf_string(&command->output), command->output.len);
    lua_pushinteger(lua, command->late            ? STATUS_TIMED_OUT
                         : command->end.signalled ? STATUS_SIGNALLED + command->end.code
                                                  : command->end.code);
    return 2;
}

static void line_came(void *context, enum proc_stream stream, const char *text)
{
    struct command *command = context;
    if (stream != PROC_STDOUT || command->output.len >= MOST_OUTPUT)
        return;
    if (command->output.len > 0)
        buf_add_char(&command->output, '\n');
    buf_add_string(&command->output, text);
}

static void ended(void *context, struct proc_end end)
{
    struct command *command = context;
    command->end = end;
    task_wake(command->task, push_result, command);
    command_free(command);
}

static void late(void *context)
{
    struct command *command = context;
    command->timer = NULL;
    command->late = true;
    proc_signal(command->proc, FAMILY_EVERYBODY, SIGKILL);
}

static enum err start(struct command *command, char *text, struct err_text *why)
{
    const struct client_scene *scene = task_scene(command->task);
    char *argv[] = {(char[]){"/bin/sh"}, (char[]){"-c"}, text, NULL};
    struct proc_plan plan = {
        .argv = argv, .environment = scene->environment, .directory = scene->directory};
    struct proc_handlers handlers = {.line = line_came, .ended = ended, .context = command};
    return proc_start(scene->loop, &plan, handlers, &command->proc, why);
}

static int sh(lua_State *lua)
{
    struct client_task *task = task_of(lua);
    struct err_text why;
    if (lua_type(lua, 1) != LUA_TSTRING || (!lua_isnoneornil(lua, 2) && !lua_istable(lua, 2)))
        return luaL_error(lua, "write sh(\"command\") or sh(\"command\", { timeout = \"5s\" })");
    if (lua_istable(lua, 2))
        lua_getfield(lua, 2, "timeout");
    else
        lua_pushnil(lua);
    int64_t timeout = task_duration(lua, -1, "timeout", TIMEOUT_MS);
    struct command *command = mem_alloc(sizeof *command);
    char *text = client_fill(lua_tostring(lua, 1), &task_scene(task)->values);
    command->task = task;
    enum err err = start(command, text, &why);
    free(text);
    if (err != ERR_OK) {
        command_free(command);
        return luaL_error(lua, "sh %s", why.text);
    }
    command->timer = loop_after(task_scene(task)->loop, timeout, late, command);
    task_waits(task, (struct task_wait){command, command_free});
    return lua_yield(lua, 0);
}

void words_sh_open(lua_State *lua)
{
    lua_pushcfunction(lua, sh);
    lua_setglobal(lua, "sh");
}
