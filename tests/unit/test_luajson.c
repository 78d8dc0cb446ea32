/* Between Lua values and JSON: what goes through unchanged, and what is refused. */
#include "luahost.h"
#include "luajson.h"
#include "quoted.h"

#include <criterion/criterion.h>
#include <lua.h>
#include <string.h>

struct reading {
    const char *text; /* a Lua expression, or statements that end in return */
    struct json *json;
    enum err err;
    struct err_text why;
};

static int evaluate(lua_State *lua)
{
    struct reading *reading = luahost_context(lua);
    luahost_push_code(lua, reading->text, strlen(reading->text), "t.lua");
    lua_call(lua, 0, 1);
    int top = lua_gettop(lua);
    reading->err = luajson_read(lua, -1, &reading->json, &reading->why);
    cr_assert_eq(lua_gettop(lua), top);
    return 0;
}

static struct reading read_text(const char *text)
{
    struct reading reading = {.text = text};
    struct err_text why = {0};
    struct luahost *host = luahost_new("t.lua", 1);
    cr_assert_eq(luahost_run(host, evaluate, &reading, &why), ERR_OK, "%s: %s", text, why.text);
    luahost_free(host);
    return reading;
}

static void expect_json(const char *text, const char *wanted)
{
    struct reading reading = read_text(text);
    cr_assert_eq(reading.err, ERR_OK, "%s: %s", text, reading.why.text);
    expect_quoted(reading.json, wanted);
}

static void expect_refusal(const char *text, const char *why)
{
    struct reading reading = read_text(text);
    cr_expect_eq(reading.err, ERR_INVALID, "%s", text);
    cr_expect_null(reading.json);
    cr_expect_str_eq(reading.why.text, why, "%s: %s", text, reading.why.text);
}

Test(luajson, plain_values)
{
    expect_json("return nil", "null");
    expect_json("return true", "true");
    expect_json("return 'text'", "'text'");
    expect_json("return ''", "''");
    expect_json("return 12", "12");
    expect_json("return -12", "-12");
    expect_json("return 12.0", "12");
    expect_json("return 0.5", "0.5");
}

Test(luajson, whole_numbers_are_exact)
{
    struct reading reading = read_text("return math.maxinteger");
    int64_t number;
    cr_assert(json_as_int(reading.json, &number));
    cr_assert_eq(number, INT64_MAX);
    json_free(reading.json);
}

Test(luajson, tables)
{
    expect_json("return {}", "{}");
    expect_json("return {1, 'b', {true}}", "[1,'b',[true]]");
    expect_json("return {b = 1, a = {c = 2}, ['Retry-After'] = 3}",
                "{'Retry-After':3,'a':{'c':2},'b':1}");
    expect_json("local t = {} for i = 1, 100 do t[i] = 0 end return #t", "100");
}

Test(luajson, one_table_may_stand_in_two_places)
{
    expect_json("local t = {1} return {a = t, b = t}", "{'a':[1],'b':[1]}");
}

Test(luajson, refuses_what_is_no_data)
{
    expect_refusal("return function() end",
                   "a function cannot stand here: parentheses call it, as in drop()");
    expect_refusal("return {body = print}",
                   "body: a function cannot stand here: parentheses call it, as in drop()");
    expect_refusal("return 0 / 0", "a number has to be finite");
    expect_refusal("return {ms = math.huge}", "ms: a number has to be finite");
    expect_refusal("return {ms = -math.huge}", "ms: a number has to be finite");
    expect_refusal("return {a = 'x\\0y'}", "a: text cannot hold a zero byte");
}

static const char KEYS[] = "the keys of a table are either all text, or 1, 2, 3 … without gaps";

Test(luajson, refuses_keys_that_json_has_not)
{
    expect_refusal("return {1, 2, x = 3}", KEYS);
    expect_refusal("return {1, nil, 3}", KEYS);
    expect_refusal("return {1, nil, 3, 4, x = 5}", KEYS);
    expect_refusal("return {[0] = 1}", KEYS);
    expect_refusal("return {[1.5] = 1}", KEYS);
    expect_refusal("return {[true] = 1}", KEYS);
    expect_refusal("return {['x\\0'] = 1}", KEYS);
}

Test(luajson, refuses_what_never_ends)
{
    expect_refusal("local t = {} t.t = t return t", "t: a table cannot contain itself");
    expect_refusal("local t = {} t[1] = {t} return t", "a table cannot contain itself");
    expect_refusal("local t = {} for i = 1, 30 do t = {t} end return t",
                   "tables are nested too deeply");
    expect_refusal("local t = {} for i = 1, 1e5 do t[i] = i end return t", "too many values");
    expect_refusal("local t = {} for i = 1, 1e5 do t['a' .. i] = i end return t", KEYS);
    expect_refusal("local t = {} for i = 1, 15 do t = {t, t, t} end return t", "too many values");
    static const char much[] = "more than the 4 MiB that a script may hand over";
    expect_refusal("return ('x'):rep(5e6)", much);
    expect_refusal("local t, s = {}, ('x'):rep(3000) for i = 1, 1999 do t[i] = s end return t",
                   much);
    expect_refusal("local s = ('x'):rep(2e6) return {[s] = {[s] = {[s] = 1}}}",
                   "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx: "
                   "more than the 4 MiB that a script may hand over");
}

static int push_and_read(lua_State *lua)
{
    struct reading *reading = luahost_context(lua);
    struct json *json = quoted(reading->text);
    luajson_push(lua, json);
    json_free(json);
    reading->err = luajson_read(lua, -1, &reading->json, &reading->why);
    return 0;
}

Test(luajson, what_is_pushed_can_be_read)
{
    static const char *const values[] = {"{'a':1,'b':[1,2,{'c':'d'}]}", "'text'", "0.25",   "true",
                                         "{'amount':999999999999999}",  "null",   "[false]"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct reading reading = {.text = values[i]};
        struct luahost *host = luahost_new("t.lua", 1);
        cr_assert_eq(luahost_run(host, push_and_read, &reading, NULL), ERR_OK);
        cr_assert_eq(reading.err, ERR_OK, "%s", reading.why.text);
        expect_quoted(reading.json, values[i]);
        luahost_free(host);
    }
}
