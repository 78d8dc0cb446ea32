#include "luahost.h"

#include "check.h"
#include "luasafe.h"
#include "mem.h"
#include "watchdog.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOOK_EVERY      1000 /* instructions between two looks at the budget */
#define TRACEBACK_DEPTH 10

/* One body that is running. */
struct frame {
    struct frame *outer;
    int64_t ran; /* instructions, in steps of HOOK_EVERY */
    bool over;   /* its fate is sealed: err and text stand, whatever the script does */
    enum err err;
    struct err_text text; /* "" until something went wrong */
    int memory_line;      /* where memory was last refused */
};

struct luahost {
    lua_State *lua;
    char *file;
    char chunk[LUA_IDSIZE];
    size_t used;         /* bytes */
    struct frame *frame; /* the innermost body, NULL when none runs */
};

/* Where the script is: the line of its innermost function, 0 when none of it runs. Allocates
 * nothing. */
static int script_line(const struct luahost *host)
{
    lua_Debug at;
    for (int level = 0; lua_getstack(host->lua, level, &at); level++) {
        lua_getinfo(host->lua, "Sl", &at);
        if (at.currentline > 0 && strcmp(at.short_src, host->chunk) == 0)
            return at.currentline;
    }
    return 0;
}

/* Refusing is enough: Lua collects its garbage, tries again, and raises an error if that fails. */
static void *allocate(void *context, void *pointer, size_t old_size, size_t size)
{
    struct luahost *host = context;
    if (pointer == NULL)
        old_size = 0; /* it carries a type instead */
    if (size == 0) {
        free(pointer);
        host->used -= old_size;
        return NULL;
    }
    if (size > old_size && host->used + (size - old_size) > LUAHOST_MEMORY_BYTES) {
        if (host->frame != NULL)
            host->frame->memory_line = script_line(host);
        return NULL;
    }
    host->used = host->used - old_size + size;
    return mem_resize(pointer, size, 1);
}

static int panic(lua_State *lua)
{
    (void)lua;
    CHECK(!"a Lua error outside of a body");
    return 0;
}

/* Lua keeps at most 59 bytes of a chunk's name, and cuts paths in front: give it the last part. */
static void set_chunk(struct luahost *host)
{
    const char *slash = strrchr(host->file, '/');
    snprintf(host->chunk, sizeof host->chunk, "%s", slash == NULL ? host->file : slash + 1);
}

static int open_libraries(lua_State *lua)
{
    luasafe_open(lua, *(const uint64_t *)luahost_context(lua));
    return 0;
}

struct luahost *luahost_new(const char *file, uint64_t seed)
{
    struct luahost *host = mem_alloc(sizeof *host);
    host->file = mem_strdup(file);
    set_chunk(host);
    host->lua = lua_newstate(allocate, host);
    CHECK(host->lua != NULL);
    lua_atpanic(host->lua, panic);
    *(struct luahost **)lua_getextraspace(host->lua) = host;
    watchdog_install();
    CHECK(luahost_run(host, open_libraries, &seed, NULL) == ERR_OK);
    return host;
}

void luahost_free(struct luahost *host)
{
    if (host == NULL)
        return;
    lua_close(host->lua);
    free(host->file);
    free(host);
}

const char *luahost_file(const struct luahost *host)
{
    return host->file;
}

const char *luahost_chunk(const struct luahost *host)
{
    return host->chunk;
}

struct luahost *luahost_of(lua_State *lua)
{
    return *(struct luahost **)lua_getextraspace(lua);
}

void *luahost_context(lua_State *lua)
{
    return lua_touserdata(lua, 1);
}

/* Lua's messages start with the short name; people want to open the file. */
static void say_message(struct luahost *host, const char *message)
{
    size_t length = strlen(host->chunk);
    struct err_text *text = &host->frame->text;
    int line = script_line(host);
    if (strncmp(message, host->chunk, length) == 0 && message[length] == ':')
        err_say(text, ERR_SCRIPT, "%s%s", host->file, message + length);
    else if (line > 0)
        err_say(text, ERR_SCRIPT, "%s:%d: %s", host->file, line, message);
    else
        err_say(text, ERR_SCRIPT, "%s: %s", host->file, message);
}

static void append(struct err_text *text, const char *more)
{
    size_t length = strlen(text->text);
    snprintf(text->text + length, sizeof text->text - length, "%s", more);
}

/* luaL_traceback would allocate, and the script may just have used up its memory. */
static void add_traceback(const struct luahost *host, lua_State *lua, struct err_text *text)
{
    const char *title = "\nstack traceback:";
    lua_Debug at;
    int shown = 0;
    for (int level = 0; lua_getstack(lua, level, &at) && shown < TRACEBACK_DEPTH; level++) {
        char line[200];
        lua_getinfo(lua, "Sln", &at);
        if (at.currentline <= 0 || strcmp(at.short_src, host->chunk) != 0)
            continue; /* C, or our own prelude */
        if (at.name != NULL)
            snprintf(line, sizeof line, "%s\n    %s:%d: in function '%s'", title, at.short_src,
                     at.currentline, at.name);
        else
            snprintf(line, sizeof line, "%s\n    %s:%d: in %s", title, at.short_src, at.currentline,
                     *at.what == 'm' ? "the main chunk" : "a function");
        append(text, line);
        title = "";
        shown++;
    }
}

/* Called where an uncaught error was raised, before the stack is unwound. It runs no Lua code:
 * after an error from a hook, code that runs here could not be stopped. */
static int describe(lua_State *lua)
{
    struct luahost *host = luahost_of(lua);
    struct frame *frame = host->frame;
    if (!frame->over) {
        frame->err = ERR_SCRIPT;
        if (lua_type(lua, 1) == LUA_TSTRING)
            say_message(host, lua_tostring(lua, 1));
        else
            err_say(&frame->text, ERR_SCRIPT, "%s:%d: the script raised an error that is a %s",
                    host->file, script_line(host), luaL_typename(lua, 1));
    }
    if (frame->err == ERR_SCRIPT)
        add_traceback(host, lua, &frame->text);
    return 1;
}

static void hook(lua_State *lua, lua_Debug *at);

/* An error from a hook is swallowed by the script's own pcall; but a frame that is over meets the
 * hook again at every single step that it takes from there. */
static void arm(struct luahost *host)
{
    if (host->frame == NULL)
        lua_sethook(host->lua, NULL, 0, 0);
    else if (host->frame->over)
        lua_sethook(host->lua, hook, LUA_MASKLINE | LUA_MASKCOUNT, 1);
    else
        lua_sethook(host->lua, hook, LUA_MASKCOUNT, HOOK_EVERY);
}

/* From the watchdog's signal handler, for which lua_sethook is made: the next step of the script,
 * not only the thousandth, shall look at the watchdog. */
static void hurry(void *context)
{
    struct luahost *host = context;
    lua_sethook(host->lua, hook, LUA_MASKCOUNT, 1);
}

static _Noreturn void raise_nothing(lua_State *lua)
{
    lua_pushnil(lua); /* needs no memory */
    lua_error(lua);
    CHECK_UNREACHABLE();
}

static void hook(lua_State *lua, lua_Debug *at)
{
    struct luahost *host = luahost_of(lua);
    struct frame *frame = host->frame;
    if (!frame->over) {
        frame->ran += HOOK_EVERY;
        if (frame->ran < LUAHOST_INSTRUCTIONS && !watchdog_expired())
            return;
        lua_getinfo(lua, "l", at);
        frame->over = true;
        frame->err = ERR_SCRIPT;
        err_say(&frame->text, ERR_SCRIPT,
                "%s:%d: the script does not come back: stopped after %d instructions or %d s "
                "(an endless loop?)",
                host->file, at->currentline, LUAHOST_INSTRUCTIONS, LUAHOST_CPU_MS / 1000);
        arm(host);
    }
    raise_nothing(lua);
}

void luahost_stop(lua_State *lua, enum err err, const char *text)
{
    struct luahost *host = luahost_of(lua);
    host->frame->over = true;
    host->frame->err = err;
    err_say(&host->frame->text, err, "%s", text);
    arm(host);
    raise_nothing(lua);
}

static void say_unexplained(struct luahost *host, int status)
{
    struct frame *frame = host->frame;
    frame->err = ERR_SCRIPT;
    if (status == LUA_ERRMEM)
        err_say(&frame->text, ERR_SCRIPT,
                "%s:%d: the script needs more than %zu MiB of memory "
                "(an endless recursion, or a table that only grows?)",
                host->file, frame->memory_line, LUAHOST_MEMORY_BYTES >> 20);
    else
        err_say(&frame->text, ERR_SCRIPT, "%s: the script failed, and its error as well",
                host->file);
}

enum err luahost_run(struct luahost *host, luahost_body *body, void *context, struct err_text *why)
{
    lua_State *lua = host->lua;
    struct frame frame = {.outer = host->frame};
    if (!lua_checkstack(lua, LUA_MINSTACK))
        return err_say(why, ERR_SCRIPT, "%s: no stack left for the script", host->file);
    host->frame = &frame;
    arm(host);
    luahost_enter(host);
    int bottom = lua_gettop(lua);
    lua_pushcfunction(lua, describe);
    lua_pushcfunction(lua, body);
    lua_pushlightuserdata(lua, context);
    int status = lua_pcall(lua, 1, 0, bottom + 1);
    luahost_leave(host);
    if (status != LUA_OK && frame.text.text[0] == '\0')
        say_unexplained(host, status);
    lua_settop(lua, bottom);
    host->frame = frame.outer;
    arm(host);
    return frame.err == ERR_OK ? ERR_OK : err_say(why, frame.err, "%s", frame.text.text);
}

void luahost_enter(struct luahost *host)
{
    watchdog_start(&(struct watch){.file = host->file,
                                   .soft_ms = LUAHOST_CPU_MS,
                                   .stuck_ms = LUAHOST_STUCK_MS,
                                   .expired = hurry,
                                   .context = host});
}

void luahost_leave(struct luahost *host)
{
    (void)host;
    watchdog_stop();
}

void luahost_fail(lua_State *lua, int line, const char *text)
{
    const char *chunk = luahost_chunk(luahost_of(lua));
    if (line > 0)
        lua_pushfstring(lua, "%s:%d: %s", chunk, line, text);
    else
        lua_pushfstring(lua, "%s: %s", chunk, text);
    lua_error(lua);
    CHECK_UNREACHABLE();
}

void luahost_push_code(lua_State *lua, const char *text, size_t length, const char *name)
{
    const char *chunk = lua_pushfstring(lua, "=%s", name);
    if (luaL_loadbufferx(lua, text, length, chunk, "t") != LUA_OK)
        lua_error(lua);
    lua_remove(lua, -2);
}

int luahost_line(lua_State *lua, int level)
{
    lua_Debug at;
    if (!lua_getstack(lua, level, &at))
        return 0;
    lua_getinfo(lua, "l", &at);
    return at.currentline > 0 ? at.currentline : 0;
}
