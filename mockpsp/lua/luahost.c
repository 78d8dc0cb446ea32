#include "luahost.h"

#include "check.h"
#include "luasafe.h"
#include "mem.h"
#include "path.h"
#include "watchdog.h"

#include <lauxlib.h>
#include <lua.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOOK_EVERY      1000 /* instructions between two looks at the budget */
#define TRACEBACK_DEPTH 10
#define PART_BYTES      256 /* of code, between two looks at the clock */
#define MOST_MESSAGE    600 /* bytes of what the script says itself: the traceback needs room */
#define LINE_BITS       21  /* of a place; above them is the number of the file */

/* One body that is running. */
struct frame {
    struct frame *outer;
    int64_t ran; /* instructions, in steps of HOOK_EVERY */
    bool over;   /* its fate is sealed: err and text stand, whatever the script does */
    bool traced; /* the traceback is in text */
    enum err err;
    struct err_text text; /* "" until something went wrong */
    int memory_place;     /* where memory was last refused */
    struct err_text memory_trace;
};

/* One file of the script. */
struct source {
    char *chunk; /* as Lua keeps it */
    char *file;
};

struct luahost {
    lua_State *lua;
    lua_State *running;     /* the coroutine that goes on in a body, or LUA itself */
    struct source *sources; /* the first is the script itself */
    size_t source_count;
    size_t used;         /* bytes */
    struct frame *frame; /* the innermost body, NULL when none runs */
};

/* The place of a frame that Lua describes with "Sl"; 0 for C and for our own prelude. */
static int place_of(const struct luahost *host, const lua_Debug *at)
{
    if (at->currentline <= 0)
        return 0;
    for (size_t i = 0; i < host->source_count; i++)
        if (strcmp(at->short_src, host->sources[i].chunk) == 0)
            return (int)(i << LINE_BITS) + at->currentline;
    return 0;
}

/* Where the script is: its innermost function, 0 when none of it runs. Allocates nothing. */
static int script_place(const struct luahost *host)
{
    lua_Debug at;
    for (int level = 0; lua_getstack(host->running, level, &at); level++) {
        lua_getinfo(host->running, "Sl", &at);
        int place = place_of(host, &at);
        if (place > 0)
            return place;
    }
    return 0;
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
        if (place_of(host, &at) == 0)
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

/* When the error is raised there is nobody to look: its handler would need memory. */
static void note_memory(struct luahost *host)
{
    struct frame *frame = host->frame;
    if (frame == NULL)
        return;
    frame->memory_place = script_place(host);
    frame->memory_trace.text[0] = '\0';
    add_traceback(host, host->running, &frame->memory_trace);
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
        note_memory(host);
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

void luahost_add_file(struct luahost *host, const char *chunk, const char *file)
{
    struct source source = {.chunk = mem_strndup(chunk, LUA_IDSIZE - 1), .file = mem_strdup(file)};
    host->sources = mem_resize(host->sources, host->source_count + 1, sizeof source);
    host->sources[host->source_count++] = source;
}

static int open_libraries(lua_State *lua)
{
    luasafe_open(lua, *(const uint64_t *)luahost_context(lua));
    return 0;
}

struct luahost *luahost_new(const char *file, uint64_t seed)
{
    struct luahost *host = mem_alloc(sizeof *host);
    /* Lua keeps at most 59 bytes of a chunk's name, and cuts paths in front: the last part. */
    luahost_add_file(host, path_name(file), file);
    host->lua = lua_newstate(allocate, host);
    CHECK(host->lua != NULL);
    host->running = host->lua;
    lua_atpanic(host->lua, panic);
    *(struct luahost **)lua_getextraspace(host->lua) = host;
    CHECK(luahost_run(host, open_libraries, &seed, NULL) == ERR_OK);
    return host;
}

void luahost_free(struct luahost *host)
{
    if (host == NULL)
        return;
    lua_close(host->lua);
    for (size_t i = 0; i < host->source_count; i++) {
        free(host->sources[i].chunk);
        free(host->sources[i].file);
    }
    free(host->sources);
    free(host);
}

const char *luahost_file(const struct luahost *host)
{
    return host->sources[0].file;
}

const char *luahost_chunk(const struct luahost *host)
{
    return host->sources[0].chunk;
}

const char *luahost_other_file(const struct luahost *host, size_t n)
{
    return n + 1 < host->source_count ? host->sources[n + 1].file : NULL;
}

struct luahost *luahost_of(lua_State *lua)
{
    return *(struct luahost **)lua_getextraspace(lua);
}

void *luahost_context(lua_State *lua)
{
    return lua_touserdata(lua, 1);
}

/* A table may hold any number for its line. */
static const struct source *source_of(const struct luahost *host, int place)
{
    size_t i = place < 0 ? 0 : (size_t)place >> LINE_BITS;
    return &host->sources[i < host->source_count ? i : 0];
}

const char *luahost_place_file(const struct luahost *host, int place)
{
    return source_of(host, place)->file;
}

int luahost_place_line(int place)
{
    return place & ((1 << LINE_BITS) - 1);
}

/* "file:line: message" into the innermost body's text; an unknown PLACE leaves the line out. */
static void say_at(struct luahost *host, int place, const char *message)
{
    if (place > 0)
        err_say(&host->frame->text, ERR_SCRIPT, "%s:%d: %.*s", luahost_place_file(host, place),
                luahost_place_line(place), MOST_MESSAGE, message);
    else
        err_say(&host->frame->text, ERR_SCRIPT, "%s: %.*s", luahost_file(host), MOST_MESSAGE,
                message);
}

/* Lua's messages start with the short name; people want to open the file. */
static void say_message(struct luahost *host, const char *message)
{
    for (size_t i = 0; i < host->source_count; i++) {
        size_t length = strlen(host->sources[i].chunk);
        if (strncmp(message, host->sources[i].chunk, length) == 0 && message[length] == ':') {
            err_say(&host->frame->text, ERR_SCRIPT, "%s%.*s", host->sources[i].file, MOST_MESSAGE,
                    message + length);
            return;
        }
    }
    say_at(host, script_place(host), message);
}

static void say_kind(struct luahost *host, const char *type)
{
    char message[80];
    snprintf(message, sizeof message, "the script raised an error that is a %s", type);
    say_at(host, script_place(host), message);
}

/* Called where an uncaught error was raised, before the stack is unwound. It runs no Lua code:
 * after an error from a hook, code that runs here could not be stopped. */
static int describe(lua_State *lua)
{
    struct luahost *host = luahost_of(lua);
    struct frame *frame = host->frame;
    if (!frame->over) {
        frame->err = ERR_SCRIPT;
        if (lua_type(lua, -1) == LUA_TSTRING)
            say_message(host, lua_tostring(lua, -1));
        else
            say_kind(host, luaL_typename(lua, -1));
    }
    if (frame->err == ERR_SCRIPT && !frame->traced)
        add_traceback(host, lua, &frame->text);
    frame->traced = true; /* what ends the compiler passes here twice */
    return 1;
}

static void hook(lua_State *lua, lua_Debug *at);

/* An error from a hook is swallowed by the script's own pcall; but a frame that is over meets the
 * hook again at every single step that it takes from there. */
static void arm(struct luahost *host)
{
    if (host->frame == NULL)
        lua_sethook(host->running, NULL, 0, 0);
    else if (host->frame->over)
        lua_sethook(host->running, hook, LUA_MASKLINE | LUA_MASKCOUNT, 1);
    else
        lua_sethook(host->running, hook, LUA_MASKCOUNT, HOOK_EVERY);
}

/* From the watchdog's signal handler, for which lua_sethook is made: the next step of the script,
 * not only the thousandth, shall look at the watchdog. */
static void hurry(void *context)
{
    struct luahost *host = context;
    lua_sethook(host->running, hook, LUA_MASKCOUNT, 1);
}

static _Noreturn void raise_nothing(lua_State *lua)
{
    lua_pushnil(lua); /* needs no memory */
    lua_error(lua);
    CHECK_UNREACHABLE();
}

static void say_endless(struct luahost *host)
{
    char message[120];
    snprintf(message, sizeof message,
             "the script does not come back: stopped after %d instructions or %d s "
             "(an endless loop?)",
             LUAHOST_INSTRUCTIONS, LUAHOST_CPU_MS / 1000);
    say_at(host, script_place(host), message);
}

/* Ends the innermost body, which cannot catch it. */
static _Noreturn void end_endless(lua_State *lua)
{
    struct luahost *host = luahost_of(lua);
    if (!host->frame->over) {
        host->frame->over = true;
        host->frame->err = ERR_SCRIPT;
        say_endless(host);
        arm(host);
    }
    raise_nothing(lua);
}

static void hook(lua_State *lua, lua_Debug *at)
{
    (void)at;
    struct luahost *host = luahost_of(lua);
    struct frame *frame = host->frame;
    if (!frame->over) {
        frame->ran += HOOK_EVERY;
        if (frame->ran < LUAHOST_INSTRUCTIONS && !watchdog_expired())
            return;
    }
    end_endless(lua);
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
    char message[140];
    frame->err = ERR_SCRIPT;
    snprintf(message, sizeof message,
             "the script needs more than %zu MiB of memory "
             "(an endless recursion, or a table that only grows?)",
             LUAHOST_MEMORY_BYTES >> 20);
    if (status != LUA_ERRMEM) {
        say_at(host, 0, "the script failed, and its error as well");
        return;
    }
    say_at(host, frame->memory_place, message);
    append(&frame->text, frame->memory_trace.text);
}

enum err luahost_run(struct luahost *host, luahost_body *body, void *context, struct err_text *why)
{
    lua_State *lua = host->lua;
    struct frame frame = {.outer = host->frame};
    if (!lua_checkstack(lua, LUA_MINSTACK))
        return err_say(why, ERR_SCRIPT, "%s: no stack left for the script", luahost_file(host));
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

/* An error ends the coroutine where it was raised: its stack is still there to be told of. */
bool luahost_resume(lua_State *lua, lua_State *thread, int count)
{
    struct luahost *host = luahost_of(lua);
    int results;
    host->running = thread;
    arm(host);
    int status = lua_resume(thread, lua, count, &results);
    bool failed = status != LUA_OK && status != LUA_YIELD;
    if (status == LUA_ERRMEM)
        say_unexplained(host, status);
    else if (failed)
        describe(thread);
    lua_sethook(thread, NULL, 0, 0);
    host->running = lua;
    host->frame->over = host->frame->over || failed;
    arm(host);
    if (failed)
        raise_nothing(lua);
    return status == LUA_YIELD;
}

void luahost_enter(struct luahost *host)
{
    watchdog_start(&(struct watch){.file = luahost_file(host),
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

void luahost_fail(lua_State *lua, int place, const char *text)
{
    const char *chunk = source_of(luahost_of(lua), place)->chunk;
    if (place > 0)
        lua_pushfstring(lua, "%s:%d: %s", chunk, luahost_place_line(place), text);
    else
        lua_pushfstring(lua, "%s: %s", chunk, text);
    lua_error(lua);
    CHECK_UNREACHABLE();
}

/* What the compiler reads. */
struct reading {
    const char *text;
    size_t left;
};

/* In small parts: code can be made that takes for ever to compile, where no hook looks. */
static const char *read_part(lua_State *lua, void *context, size_t *length)
{
    struct reading *reading = context;
    const char *part = reading->text;
    if (watchdog_expired())
        end_endless(lua);
    *length = reading->left < PART_BYTES ? reading->left : PART_BYTES;
    reading->text += *length;
    reading->left -= *length;
    return part;
}

bool luahost_compile(lua_State *lua, const char *text, size_t length, const char *name)
{
    struct reading reading = {text, length};
    const char *chunk = lua_pushfstring(lua, "=%s", name);
    int status = lua_load(lua, read_part, &reading, chunk, "t");
    lua_remove(lua, -2);
    return status == LUA_OK;
}

void luahost_push_code(lua_State *lua, const char *text, size_t length, const char *name)
{
    if (!luahost_compile(lua, text, length, name))
        lua_error(lua);
}

int luahost_place(lua_State *lua, int level)
{
    lua_Debug at;
    if (!lua_getstack(lua, level, &at))
        return 0;
    lua_getinfo(lua, "Sl", &at);
    return place_of(luahost_of(lua), &at);
}

int luahost_place_of_function(lua_State *lua)
{
    lua_Debug at;
    lua_getinfo(lua, ">S", &at);
    at.currentline = at.linedefined;
    return place_of(luahost_of(lua), &at);
}
