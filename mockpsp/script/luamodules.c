#include "luamodules.h"

#include "check.h"
#include "luahost.h"
#include "mem.h"
#include "nearest.h"
#include "path.h"
#include "scriptfile.h"

#include <dirent.h>
#include <errno.h>
#include <lauxlib.h>
#include <limits.h>
#include <lua.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAME  50  /* bytes: Lua keeps 59 of lib/storms.lua for its messages */
#define MOST_NAMES 100 /* files that are looked at for one that was meant */

struct luamodules {
    struct luahost *host;
    char *folder; /* in front of names: "scenarios/", or "" */
    char *root;   /* the same without links and dots; NULL when it is not there */
    size_t tries; /* how often the disk was asked */
    const char *loading[LUAMODULES_DEPTH]; /* names, the outermost first */
    size_t depth;
};

struct luamodules *luamodules_new(struct luahost *host)
{
    struct luamodules *modules = mem_alloc(sizeof *modules);
    const char *file = luahost_file(host);
    const char *slash = strrchr(file, '/');
    modules->host = host;
    modules->folder = mem_strndup(file, slash == NULL ? 0 : (size_t)(slash - file) + 1);
    modules->root = realpath(slash == NULL ? "." : modules->folder, NULL);
    return modules;
}

void luamodules_free(struct luamodules *modules)
{
    if (modules == NULL)
        return;
    free(modules->folder);
    free(modules->root);
    free(modules);
}

/* --- finding ---------------------------------------------------------------------------------- */

static bool is_word(char letter)
{
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
           (letter >= '0' && letter <= '9') || letter == '_' || letter == '-';
}

/* Words with dots between them: so no name can climb out of the directory. */
static bool is_name(const char *name, size_t length)
{
    bool after_word = false;
    for (const char *at = name; *at != '\0'; at++) {
        if (!is_word(*at) && (*at != '.' || !after_word))
            return false;
        after_word = *at != '.';
    }
    return after_word && strlen(name) == length && length <= MOST_NAME;
}

static int is_lua(const struct dirent *entry)
{
    size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length > 4 && strcmp(entry->d_name + length - 4, ".lua") == 0;
}

/* What PATH, which is not there, was most likely meant to be, of its directory. */
static struct nearest_text hint_for(const char *path)
{
    const char *names[MOST_NAMES + 1] = {0};
    struct dirent **entries = NULL;
    char *folder = path_folder(path);
    int count = scandir(folder, &entries, is_lua, alphasort);
    for (int i = 0; i < count && i < MOST_NAMES; i++)
        names[i] = entries[i]->d_name;
    struct nearest_text hint = nearest_hint(path_name(path), names);
    for (int i = 0; i < count; i++)
        free(entries[i]);
    free(entries);
    free(folder);
    return hint;
}

/* REAL has no links in it any more. */
static bool is_inside(const struct luamodules *modules, const char *real)
{
    size_t length = modules->root == NULL ? 0 : strlen(modules->root);
    if (length == 1)
        return true; /* the root of all */
    return length > 0 && strncmp(real, modules->root, length) == 0 && real[length] == '/';
}

static enum err read_module(const struct luamodules *modules, const char *path, struct buf *text,
                            struct err_text *why)
{
    char *real = realpath(path, NULL);
    if (real == NULL)
        return errno == ENOENT || errno == ENOTDIR
                   ? err_say(why, ERR_NOT_FOUND, "there is no %s%s", path, hint_for(path).text)
                   : err_say(why, ERR_IO, "%s: cannot open it: %s", path, strerror(errno));
    enum err err =
        is_inside(modules, real)
            ? scriptfile_read(real, path, text, why)
            : err_say(why, ERR_INVALID, "%s leads out of the directory of the scenario", path);
    free(real);
    return err;
}

/* --- loading ---------------------------------------------------------------------------------- */

/* Pushes the file of the module NAME as a function. Raises nothing while it holds memory that is
 * not Lua's. */
static void push_module(struct luamodules *modules, lua_State *lua, const char *name)
{
    struct buf text = {0};
    struct err_text why = {0};
    const char *chunk = lua_pushfstring(lua, "%s.lua", luaL_gsub(lua, name, ".", "/"));
    char *path = mem_printf("%s%s", modules->folder, chunk);
    enum err err = read_module(modules, path, &text, &why);
    bool compiled = false;
    if (err == ERR_OK) {
        luahost_add_file(modules->host, chunk, path);
        compiled = luahost_compile(lua, buf_string(&text), text.len, chunk);
    }
    buf_release(&text);
    free(path);
    if (err != ERR_OK)
        luaL_error(lua, "require: %s", why.text);
    if (!compiled)
        lua_error(lua);
    luamodules_own_globals(lua);
}

static void check_name(lua_State *lua)
{
    if (lua_type(lua, 1) != LUA_TSTRING)
        luaL_error(lua, "require takes the name of a file beside this one: require \"lib.storms\"");
    if (!is_name(lua_tostring(lua, 1), lua_rawlen(lua, 1)))
        luaL_error(
            lua,
            "require: '%s' is no name: \"lib.storms\" is lib/storms.lua beside the scenario, "
            "and nothing else can be reached",
            lua_tostring(lua, 1));
}

static void check_circle(const struct luamodules *modules, lua_State *lua, const char *name)
{
    size_t i = 0;
    while (i < modules->depth && strcmp(modules->loading[i], name) != 0)
        i++;
    if (i == modules->depth)
        return;
    lua_pushstring(lua, modules->loading[i]);
    for (size_t j = i + 1; j < modules->depth; j++)
        lua_pushfstring(lua, "%s -> %s", lua_tostring(lua, -1), modules->loading[j]);
    luaL_error(lua, "require goes round in a circle: %s -> %s", lua_tostring(lua, -1), name);
}

static void check_limits(const struct luamodules *modules, lua_State *lua)
{
    if (modules->depth == LUAMODULES_DEPTH)
        luaL_error(lua, "require: more than %d files that require one another", LUAMODULES_DEPTH);
    if (modules->tries == LUAMODULES_MOST)
        luaL_error(lua, "require: more than %d files", LUAMODULES_MOST);
}

/* Ends a loading, however it ended: Lua closes the variable when require is left. */
static int end_loading(lua_State *lua)
{
    struct luamodules *modules = lua_touserdata(lua, lua_upvalueindex(1));
    modules->depth--;
    return 0;
}

/* Upvalues: the modules, what was loaded by name, and a value that is closed by end_loading. */
static int require(lua_State *lua)
{
    struct luamodules *modules = lua_touserdata(lua, lua_upvalueindex(1));
    check_name(lua);
    lua_settop(lua, 1);
    const char *name = lua_tostring(lua, 1);
    if (lua_getfield(lua, lua_upvalueindex(2), name) != LUA_TNIL)
        return 1;
    check_circle(modules, lua, name);
    check_limits(modules, lua);
    lua_pushvalue(lua, lua_upvalueindex(3));
    lua_toclose(lua, -1);
    modules->loading[modules->depth++] = name;
    modules->tries++;
    push_module(modules, lua, name);
    lua_call(lua, 0, 1);
    if (lua_isnil(lua, -1)) {
        lua_pushboolean(lua, true);
        lua_replace(lua, -2);
    }
    lua_pushvalue(lua, -1);
    lua_setfield(lua, lua_upvalueindex(2), name);
    return 1;
}

void luamodules_own_globals(lua_State *lua)
{
    lua_newtable(lua);
    lua_newtable(lua);
    lua_pushglobaltable(lua);
    lua_setfield(lua, -2, "__index");
    lua_setmetatable(lua, -2);
    CHECK(lua_setupvalue(lua, -2, 1) != NULL);
}

void luamodules_open(struct luamodules *modules, lua_State *lua)
{
    lua_pushlightuserdata(lua, modules);
    lua_newtable(lua);
    lua_newtable(lua);
    lua_newtable(lua);
    lua_pushlightuserdata(lua, modules);
    lua_pushcclosure(lua, end_loading, 1);
    lua_setfield(lua, -2, "__close");
    lua_setmetatable(lua, -2);
    lua_pushcclosure(lua, require, 3);
    lua_setglobal(lua, "require");
}
