#include "luafields.h"

#include "nearest.h"

#include <lauxlib.h>
#include <lua.h>
#include <string.h>

struct fields {
    const char *owner;
    const char *const *names;
};

/* Only asked for what the table does not hold. */
static int missing(lua_State *lua)
{
    const struct fields *fields = lua_touserdata(lua, lua_upvalueindex(1));
    const char *const *names = fields->names;
    const char *name = luaL_tolstring(lua, 2, NULL);
    luaL_Buffer known;
    for (size_t i = 0; names[i] != NULL; i++)
        if (strcmp(names[i], name) == 0)
            return 0;
    luaL_buffinit(lua, &known);
    for (size_t i = 0; names[i] != NULL; i++) {
        luaL_addstring(&known, i == 0 ? "" : ", ");
        luaL_addstring(&known, names[i]);
    }
    luaL_pushresult(&known);
    return luaL_error(lua, "%s has no '%s'%s: it has %s", fields->owner, name,
                      nearest_hint(name, names).text, lua_tostring(lua, -1));
}

void luafields_only(lua_State *lua, const char *owner, const char *const *names)
{
    if (luaL_newmetatable(lua, owner)) {
        struct fields *fields = lua_newuserdatauv(lua, sizeof *fields, 0);
        *fields = (struct fields){owner, names};
        lua_pushcclosure(lua, missing, 1);
        lua_setfield(lua, -2, "__index");
    }
    lua_setmetatable(lua, -2);
}
