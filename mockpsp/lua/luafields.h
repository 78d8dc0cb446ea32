/* Tables that know which fields they may have. */
#ifndef LUAFIELDS_H
#define LUAFIELDS_H

struct lua_State;

/* Reading a name that is not among NAMES from the table on top of the stack becomes an error of the
 * script: in plain Lua a misspelt field is nil, and what asks for it never holds. OWNER ("a
 * request") is what messages call the table, and names its kind. Both live as long as LUA; NAMES
 * ends with NULL. */
void luafields_only(struct lua_State *lua, const char *owner, const char *const *names);

#endif
