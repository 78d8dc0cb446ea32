/* Between Lua values and JSON, both ways, inside a body (see luahost.h). */
#ifndef LUAJSON_H
#define LUAJSON_H

#include "err.h"
#include "json.h"

struct lua_State;

/* The value at INDEX as new JSON, owned by the caller. A table with the keys 1..n is an array, any
 * other one (an empty one too) an object, its members in order of name. Raises nothing and changes
 * nothing. ERR_INVALID, with the reason and the place ("headers.x: …") in WHY: functions, tables
 * that contain themselves, keys that are neither text nor a plain list, numbers that are not
 * finite, text with a zero byte, more than 20 levels or 2000 values, more
 * than LUAJSON_ROOM bytes. */
enum err luajson_read(struct lua_State *lua, int index, struct json **json,
                      struct err_text *why) MUST_CHECK;

#define LUAJSON_ROOM ((size_t)4 << 20)

/* The same for several values that share ROOM bytes, which becomes less. */
enum err luajson_read_within(struct lua_State *lua, int index, size_t *room, struct json **json,
                             struct err_text *why) MUST_CHECK;

/* Pushes JSON (NULL: nil) as a new Lua value; null becomes nil. May raise a memory error. */
void luajson_push(struct lua_State *lua, const struct json *json);

#endif
