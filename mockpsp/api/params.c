#include "params.h"

#include "buf.h"
#include "check.h"
#include "mem.h"
#include "utf8.h"
#include "xml.h"

#include <stdlib.h>
#include <string.h>

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

static enum err decode(const char *text, size_t length, char **decoded, struct err_text *why)
{
    struct buf out = {0};
    const char *wrong = NULL;
    for (size_t i = 0; i < length && wrong == NULL; i++) {
        if (text[i] == '+') {
            buf_add_char(&out, ' ');
        } else if (text[i] != '%') {
            buf_add_char(&out, text[i]);
        } else if (i + 2 < length && hex_digit(text[i + 1]) >= 0 && hex_digit(text[i + 2]) >= 0) {
            buf_add_char(&out, (char)(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])));
            i += 2;
        } else {
            wrong = "'%' must be followed by two hexadecimal digits";
        }
    }
    if (wrong == NULL && strlen(buf_string(&out)) != out.len)
        wrong = "NUL bytes are not allowed";
    if (wrong == NULL && !utf8_valid(buf_string(&out)))
        wrong = "parameters must be UTF-8";
    if (wrong != NULL) {
        buf_release(&out);
        return err_say(why, ERR_INVALID, "Invalid form encoding: %s.", wrong);
    }
    *decoded = buf_take(&out);
    return ERR_OK;
}

/* name, name[a], name[a][b], name[]: brackets in pairs, nothing behind them but brackets. */
static enum err check_name(const char *name, struct err_text *why)
{
    CHECK(name != NULL);
    int nesting = 0;
    if (strlen(name) > PARAMS_LONGEST_NAME)
        return err_say(why, ERR_LIMIT, "A parameter's name may have %d bytes at the most.",
                       PARAMS_LONGEST_NAME);
    const char *at = name + strcspn(name, "[]");
    if (at == name)
        return err_say(why, ERR_INVALID, "Invalid form encoding: a parameter has no name.");
    while (*at != '\0') {
        const char *inner = at + 1;
        const char *end = inner + strcspn(inner, "[]");
        if (*at != '[' || *end != ']')
            return err_say(why, ERR_INVALID, "Invalid form encoding: unbalanced brackets in %.64s",
                           name);
        if (++nesting > PARAMS_MOST_NESTING)
            return err_say(why, ERR_LIMIT, "Parameters may nest %d deep at the most.",
                           PARAMS_MOST_NESTING);
        at = end + 1;
    }
    return ERR_OK;
}

static enum err add_pair(const char *pair, size_t length, struct params *params,
                         struct err_text *why)
{
    const char *equals = memchr(pair, '=', length);
    size_t name_length = equals == NULL ? length : (size_t)(equals - pair);
    struct param param = {0};
    enum err err = decode(pair, name_length, &param.name, why);
    if (err == ERR_OK)
        err = check_name(param.name, why);
    if (err == ERR_OK && equals != NULL)
        err = decode(equals + 1, length - name_length - 1, &param.value, why);
    if (err != ERR_OK) {
        free(param.name);
        return err;
    }
    if (param.value == NULL)
        param.value = mem_strdup("");
    params->list = mem_resize(params->list, params->count + 1, sizeof *params->list);
    params->list[params->count++] = param;
    return ERR_OK;
}

enum err params_parse(const char *form, size_t length, struct params *params, struct err_text *why)
{
    size_t start = 0;
    while (start < length) {
        const char *amp = memchr(form + start, '&', length - start);
        size_t end = amp == NULL ? length : (size_t)(amp - form);
        if (end > start) {
            if (params->count == PARAMS_MOST)
                return err_say(why, ERR_LIMIT, "More than %d parameters.", PARAMS_MOST);
            enum err err = add_pair(form + start, end - start, params, why);
            if (err != ERR_OK)
                return err;
        }
        start = end + 1;
    }
    return ERR_OK;
}

static enum err add_json(const char *name, const struct json *value, struct params *params,
                         struct err_text *why);

static enum err add_children(const char *name, const struct json *value, struct params *params,
                             struct err_text *why)
{
    enum err err = ERR_OK;
    int number = 0;
    for (const struct json *child = json_first(value); child != NULL && err == ERR_OK;
         child = json_next(child)) {
        char *inner = json_is_array(value) ? mem_printf("%s[%d]", name, number++)
                                           : mem_printf("%s[%s]", name, json_name(child));
        err = add_json(inner, child, params, why);
        free(inner);
    }
    return err;
}

/* A number keeps its digits (json_parse has seen to that); one with a fraction is passed on as it
 * is and refused by whoever wants a whole one. */
static char *scalar_text(const struct json *value)
{
    int64_t number;
    if (json_as_string(value) != NULL)
        return mem_strdup(json_as_string(value));
    if (json_is_null(value))
        return mem_strdup("");
    if (json_as_int(value, &number))
        return mem_printf("%lld", (long long)number);
    return json_print(value);
}

static enum err add_json(const char *name, const struct json *value, struct params *params,
                         struct err_text *why)
{
    enum err err = check_name(name, why);
    if (err != ERR_OK)
        return err;
    if (json_is_object(value) || json_is_array(value))
        return add_children(name, value, params, why);
    if (params->count == PARAMS_MOST)
        return err_say(why, ERR_LIMIT, "More than %d parameters.", PARAMS_MOST);
    char *text = scalar_text(value);
    if (!utf8_valid(text) || !utf8_valid(name)) {
        free(text);
        return err_say(why, ERR_INVALID, "Invalid JSON: parameters must be UTF-8.");
    }
    params->list = mem_resize(params->list, params->count + 1, sizeof *params->list);
    params->list[params->count++] = (struct param){mem_strdup(name), text};
    return ERR_OK;
}

static enum err add_members(const struct json *object, struct params *params, struct err_text *why)
{
    enum err err = ERR_OK;
    for (const struct json *child = json_first(object); child != NULL && err == ERR_OK;
         child = json_next(child))
        err = add_json(json_name(child), child, params, why);
    return err;
}

enum err params_parse_json(const char *text, size_t length, struct params *params,
                           struct err_text *why)
{
    struct json *json;
    struct err_text inner;
    if (json_parse(text, length, &json, &inner) != ERR_OK)
        return err_say(why, ERR_INVALID, "Invalid JSON: %s.", inner.text);
    enum err err = json_is_object(json)
                       ? add_members(json, params, why)
                       : err_say(why, ERR_INVALID, "Invalid JSON: the body has to be an object.");
    json_free(json);
    return err;
}

enum err params_parse_xml(const char *text, size_t length, struct params *params,
                          struct err_text *why)
{
    struct json *json;
    struct err_text inner;
    enum err err = xml_parse(text, length, &json, &inner);
    if (err != ERR_OK)
        return err_say(why, err, "Invalid XML: %s.", inner.text);
    err = add_members(json, params, why);
    json_free(json);
    return err;
}

const char *params_get(const struct params *params, const char *name)
{
    for (size_t i = params->count; i > 0; i--)
        if (strcmp(params->list[i - 1].name, name) == 0)
            return params->list[i - 1].value;
    return NULL;
}

bool params_under(const struct param *param, const char *root)
{
    size_t length = strlen(root);
    return strncmp(param->name, root, length) == 0 &&
           (param->name[length] == '\0' || param->name[length] == '[');
}

char *params_inner_name(const struct param *param, const char *root)
{
    size_t length = strlen(root);
    if (!params_under(param, root) || param->name[length] != '[')
        return NULL;
    const char *inner = param->name + length + 1;
    const char *end = strchr(inner, ']');
    return end[1] == '\0' ? mem_strndup(inner, (size_t)(end - inner)) : NULL;
}

void params_release(struct params *params)
{
    for (size_t i = 0; i < params->count; i++) {
        free(params->list[i].name);
        free(params->list[i].value);
    }
    free(params->list);
    *params = (struct params){0};
}
