/* http.get and http.post: a client's own service, asked from its client file. */
#include "client_internal.h"
#include "client_vocabulary.h"
#include "fetch.h"
#include "luajson.h"
#include "mem.h"
#include "nearest.h"

#include <ctype.h>
#include <lauxlib.h>
#include <lua.h>
#include <stdlib.h>
#include <string.h>

#define TIMEOUT_MS 10000

struct call {
    struct client_task *task;
    struct fetch *fetch;
};

#define FIELD_NAME(name, type, what) #name,
static const char *const FIELDS[] = {HTTP_FIELD_LIST(FIELD_NAME) NULL};
#undef FIELD_NAME

/* --- what is asked --------------------------------------------------------------------------- */

static void check_fields(lua_State *lua)
{
    lua_pushnil(lua);
    while (lua_next(lua, 1) != 0) {
        lua_pop(lua, 1);
        const char *name = lua_type(lua, -1) == LUA_TSTRING ? lua_tostring(lua, -1) : "1";
        size_t i = 0;
        while (FIELDS[i] != NULL && strcmp(FIELDS[i], name) != 0)
            i++;
        if (FIELDS[i] == NULL)
            luaL_error(lua, "a request has no field '%s'%s", name, nearest_hint(name, FIELDS).text);
    }
}

static void add_escaped(luaL_Buffer *out, const char *text, size_t length)
{
    static const char digits[] = "0123456789ABCDEF";
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (isalnum(byte) || strchr("-_.~", byte) != NULL) {
            luaL_addchar(out, (char)byte);
        } else {
            luaL_addchar(out, '%');
            luaL_addchar(out, digits[byte >> 4]);
            luaL_addchar(out, digits[byte & 15]);
        }
    }
}

/* Pushes name=value&… of the table on top of the stack, in order of name. */
static void push_form(lua_State *lua)
{
    int form = lua_gettop(lua);
    lua_newtable(lua);
    lua_pushnil(lua);
    while (lua_next(lua, form) != 0) {
        size_t name_length;
        size_t length;
        if (lua_type(lua, -2) != LUA_TSTRING || lua_tolstring(lua, -1, &length) == NULL)
            luaL_error(lua, "form is a table of text: form = { amount = order.amount }");
        const char *value = lua_tolstring(lua, -1, &length);
        const char *name = lua_tolstring(lua, -2, &name_length);
        luaL_Buffer pair;
        luaL_buffinit(lua, &pair);
        add_escaped(&pair, name, name_length);
        luaL_addchar(&pair, '=');
        add_escaped(&pair, value, length);
        luaL_pushresult(&pair);
        lua_rawseti(lua, form + 1, (lua_Integer)lua_rawlen(lua, form + 1) + 1);
        lua_pop(lua, 1);
    }
    lua_getglobal(lua, "table");
    lua_getfield(lua, -1, "sort");
    lua_pushvalue(lua, form + 1);
    lua_call(lua, 1, 0);
    lua_getfield(lua, -1, "concat");
    lua_pushvalue(lua, form + 1);
    lua_pushliteral(lua, "&");
    lua_call(lua, 2, 1);
}

static void push_json(lua_State *lua)
{
    struct json *json;
    struct err_text why;
    if (luajson_read(lua, -1, &json, &why) != ERR_OK)
        luaL_error(lua, "json: %s", why.text);
    char *text = json_print(json);
    json_free(json);
    lua_pushstring(lua, text);
    free(text);
}

/* Pushes the body and returns its type, or pushes nil and returns NULL. */
static const char *push_body(lua_State *lua)
{
    if (lua_getfield(lua, 1, "json") != LUA_TNIL) {
        push_json(lua);
        return "Content-Type: application/json";
    }
    if (lua_getfield(lua, 1, "form") == LUA_TTABLE) {
        push_form(lua);
        return "Content-Type: application/x-www-form-urlencoded";
    }
    if (!lua_isnil(lua, -1))
        luaL_error(lua, "form is a table of text: form = { amount = order.amount }");
    int type = lua_getfield(lua, 1, "body");
    if (type != LUA_TNIL && type != LUA_TSTRING)
        luaL_error(lua, "body is text (json and form take tables)");
    return NULL;
}

/* They were checked before: nothing raises an error while LIST is not Lua's. */
static void add_headers(lua_State *lua, int headers, char ***list)
{
    lua_pushnil(lua);
    while (lua_next(lua, headers) != 0) {
        client_list_add(list, mem_printf("%s: %s", lua_tostring(lua, -2), lua_tostring(lua, -1)));
        lua_pop(lua, 1);
    }
}

/* Leaves them on the stack. */
static int check_headers(lua_State *lua)
{
    int type = lua_getfield(lua, 1, "headers");
    if (type == LUA_TNIL) {
        lua_pop(lua, 1);
        lua_newtable(lua);
    } else if (type != LUA_TTABLE) {
        luaL_error(lua, "headers is a table: headers = { Authorization = \"…\" }");
    }
    int headers = lua_gettop(lua);
    lua_pushnil(lua);
    while (lua_next(lua, headers) != 0) {
        if (lua_type(lua, -2) != LUA_TSTRING || lua_type(lua, -1) != LUA_TSTRING ||
            strpbrk(lua_tostring(lua, -1), "\r\n") != NULL)
            luaL_error(lua, "headers: names and values are text, each in one line");
        lua_pop(lua, 1);
    }
    return headers;
}

/* --- what is answered ------------------------------------------------------------------------ */

static int push_answer(lua_State *lua, const void *values)
{
    const struct fetch_answer *answer = values;
    struct json *json = NULL;
    luaL_checkstack(lua, 20, "no room for an answer");
    lua_createtable(lua, 0, 5);
    lua_pushinteger(lua, answer->status);
    lua_setfield(lua, -2, "status");
    lua_pushlstring(lua, answer->body, answer->length);
    lua_setfield(lua, -2, "body");
    lua_pushstring(lua, answer->error);
    lua_setfield(lua, -2, "error");
    luajson_push(lua, answer->headers);
    lua_setfield(lua, -2, "headers");
    if (json_parse(answer->body, answer->length, &json, NULL) == ERR_OK)
        luajson_push(lua, json);
    else
        lua_pushnil(lua);
    json_free(json);
    lua_setfield(lua, -2, "json");
    return 1;
}

static void call_free(void *what)
{
    struct call *call = what;
    fetch_free(call->fetch);
    free(call);
}

static void told(void *context, const struct fetch_answer *answer)
{
    struct call *call = context;
    task_wake(call->task, push_answer, answer);
    call_free(call);
}

static int send(lua_State *lua, const char *method)
{
    struct client_task *task = task_of(lua);
    if (lua_type(lua, 1) == LUA_TSTRING) {
        lua_newtable(lua);
        lua_insert(lua, 1);
        lua_setfield(lua, 1, "url");
    }
    if (!lua_istable(lua, 1) || lua_gettop(lua) != 1)
        return luaL_error(lua, "write http.get{ url = … } or http.get(\"http://…\")");
    check_fields(lua);
    if (lua_getfield(lua, 1, "url") != LUA_TSTRING)
        return luaL_error(lua, "a request needs a url: \"http://127.0.0.1:{app_port}/orders\"");
    const char *url = lua_tostring(lua, -1);
    lua_getfield(lua, 1, "timeout");
    int64_t timeout = task_duration(lua, -1, "timeout", TIMEOUT_MS);
    int headers = check_headers(lua);
    const char *type = push_body(lua);
    struct fetch_request request = {.method = method, .timeout_ms = timeout};
    request.body = lua_tolstring(lua, -1, &request.length);
    char **list = mem_alloc(sizeof *list);
    if (type != NULL)
        client_list_add(&list, mem_strdup(type));
    add_headers(lua, headers, &list);
    char *filled = client_fill(url, &task_scene(task)->values);
    request.url = filled;
    request.headers = list;
    struct call *call = mem_alloc(sizeof *call);
    call->task = task;
    call->fetch = fetch_start(task_scene(task)->transfers, &request, told, call);
    client_list_free(list);
    free(filled);
    task_waits(task, (struct task_wait){call, call_free});
    return lua_yield(lua, 0);
}

static int http_get(lua_State *lua)
{
    return send(lua, "GET");
}

static int http_post(lua_State *lua)
{
    return send(lua, "POST");
}

void words_http_open(lua_State *lua)
{
    static const luaL_Reg functions[] = {{"get", http_get}, {"post", http_post}, {NULL, NULL}};
    luaL_newlib(lua, functions);
    lua_setglobal(lua, "http");
}
