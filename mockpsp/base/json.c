#include "json.h"

#include "buf.h"
#include "check.h"
#include "json_scan.h"
#include "mem.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* struct json is cJSON under another name; it is never defined. */
static cJSON *in(struct json *json)
{
    return (cJSON *)(void *)json;
}

static const cJSON *in_const(const struct json *json)
{
    return (const cJSON *)(const void *)json;
}

/* cJSON returns NULL only when memory ran out. */
static struct json *out(cJSON *item)
{
    if (item == NULL) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return (struct json *)(void *)item;
}

static const struct json *out_const(const cJSON *item)
{
    return (const struct json *)(const void *)item;
}

struct json *json_object(void)
{
    return out(cJSON_CreateObject());
}

struct json *json_array(void)
{
    return out(cJSON_CreateArray());
}

struct json *json_string(const char *text)
{
    return text == NULL ? json_null() : out(cJSON_CreateString(text));
}

/* Small integers survive a double; the rest is printed by us, so that no digit is lost. */
struct json *json_int(int64_t number)
{
    if (number > -INT64_C(1000000000000) && number < INT64_C(1000000000000))
        return out(cJSON_CreateNumber((double)number));
    char digits[32];
    snprintf(digits, sizeof digits, "%" PRId64, number);
    return out(cJSON_CreateRaw(digits));
}

struct json *json_double(double number)
{
    CHECK(isfinite(number));
    return out(cJSON_CreateNumber(number));
}

struct json *json_bool(bool value)
{
    return out(cJSON_CreateBool(value));
}

struct json *json_null(void)
{
    return out(cJSON_CreateNull());
}

void json_free(struct json *json)
{
    cJSON_Delete(in(json));
}

struct json *json_copy(const struct json *json)
{
    return json == NULL ? NULL : out(cJSON_Duplicate(in_const(json), true));
}

bool json_equal(const struct json *a, const struct json *b)
{
    return a != NULL && b != NULL && cJSON_Compare(in_const(a), in_const(b), true);
}

void json_set(struct json *object, const char *name, struct json *child)
{
    CHECK(cJSON_IsObject(in(object)) && child != NULL);
    if (cJSON_GetObjectItemCaseSensitive(in(object), name) != NULL)
        CHECK(cJSON_ReplaceItemInObjectCaseSensitive(in(object), name, in(child)));
    else
        CHECK(cJSON_AddItemToObject(in(object), name, in(child)));
}

void json_set_string(struct json *object, const char *name, const char *text)
{
    json_set(object, name, json_string(text));
}

void json_set_int(struct json *object, const char *name, int64_t number)
{
    json_set(object, name, json_int(number));
}

void json_set_bool(struct json *object, const char *name, bool value)
{
    json_set(object, name, json_bool(value));
}

void json_set_null(struct json *object, const char *name)
{
    json_set(object, name, json_null());
}

void json_remove(struct json *object, const char *name)
{
    cJSON_DeleteItemFromObjectCaseSensitive(in(object), name);
}

void json_maybe_string(struct json *object, const char *name, const char *text)
{
    if (text != NULL)
        json_set_string(object, name, text);
}

void json_push(struct json *array, struct json *child)
{
    CHECK(cJSON_IsArray(in(array)) && child != NULL);
    CHECK(cJSON_AddItemToArray(in(array), in(child)));
}

const struct json *json_get(const struct json *object, const char *name)
{
    return out_const(cJSON_GetObjectItemCaseSensitive(in_const(object), name));
}

struct json *json_get_mutable(struct json *object, const char *name)
{
    return (struct json *)(void *)cJSON_GetObjectItemCaseSensitive(in(object), name);
}

const char *json_get_string(const struct json *object, const char *name)
{
    return json_as_string(json_get(object, name));
}

int64_t json_get_int(const struct json *object, const char *name, int64_t missing)
{
    int64_t number;
    return json_as_int(json_get(object, name), &number) ? number : missing;
}

bool json_get_bool(const struct json *object, const char *name, bool missing)
{
    const struct json *value = json_get(object, name);
    return cJSON_IsBool(in_const(value)) ? json_as_bool(value) : missing;
}

bool json_is_object(const struct json *json)
{
    return cJSON_IsObject(in_const(json));
}

bool json_is_array(const struct json *json)
{
    return cJSON_IsArray(in_const(json));
}

bool json_is_bool(const struct json *json)
{
    return cJSON_IsBool(in_const(json));
}

bool json_is_null(const struct json *json)
{
    return cJSON_IsNull(in_const(json));
}

const char *json_as_string(const struct json *json)
{
    return cJSON_IsString(in_const(json)) ? in_const(json)->valuestring : NULL;
}

bool json_as_int(const struct json *json, int64_t *number)
{
    const cJSON *item = in_const(json);
    if (cJSON_IsRaw(item)) {
        char *end;
        errno = 0;
        *number = strtoll(item->valuestring, &end, 10);
        return errno == 0 && *end == '\0';
    }
    /* 2^53 itself may have been 2^53 + 1 in the text. */
    if (!cJSON_IsNumber(item) || item->valuedouble <= -0x1p53 || item->valuedouble >= 0x1p53)
        return false;
    *number = (int64_t)item->valuedouble;
    return (double)*number == item->valuedouble;
}

bool json_as_double(const struct json *json, double *number)
{
    int64_t whole;
    if (json_as_int(json, &whole))
        *number = (double)whole;
    else if (cJSON_IsNumber(in_const(json)))
        *number = in_const(json)->valuedouble;
    else
        return false;
    return true;
}

bool json_as_bool(const struct json *json)
{
    return cJSON_IsTrue(in_const(json));
}

const struct json *json_first(const struct json *json)
{
    return json == NULL ? NULL : out_const(in_const(json)->child);
}

const struct json *json_next(const struct json *child)
{
    return out_const(in_const(child)->next);
}

const char *json_name(const struct json *child)
{
    return in_const(child)->string;
}

size_t json_count(const struct json *json)
{
    return json == NULL ? 0 : (size_t)cJSON_GetArraySize(in_const(json));
}

static char *printed(char *text)
{
    CHECK(text != NULL);
    return text;
}

char *json_print(const struct json *json)
{
    return printed(cJSON_PrintUnformatted(in_const(json)));
}

/* cJSON indents with tabs and puts one behind each colon. Tabs inside strings are escaped, so every
 * tab that is seen here is layout. */
char *json_print_pretty(const struct json *json)
{
    struct buf out = {0};
    char *text = printed(cJSON_Print(in_const(json)));
    for (const char *c = text; *c != '\0'; c++)
        if (*c != '\t')
            buf_add_char(&out, *c);
        else
            buf_add_string(&out, c > text && c[-1] == ':' ? " " : "  ");
    free(text);
    return buf_take(&out);
}

/* cJSON allows 1000 levels; our own recursive walks should never meet that many. */
static bool too_deep(const cJSON *item, int levels)
{
    if (levels == 0)
        return true;
    for (const cJSON *child = item->child; child != NULL; child = child->next)
        if (too_deep(child, levels - 1))
            return true;
    return false;
}

enum err json_parse(const char *text, size_t length, struct json **json, struct err_text *why)
{
    const char *end = text;
    size_t at;
    *json = NULL;
    const char *wrong = json_scan(text, length, &at);
    if (wrong != NULL)
        return err_say(why, ERR_INVALID, "%s (at byte %zu)", wrong, at);
    cJSON *item = cJSON_ParseWithLengthOpts(text, length, &end, false);
    if (item != NULL) {
        while (end < text + length && strchr(" \t\r\n", *end) != NULL && *end != '\0')
            end++;
        if (end == text + length && !too_deep(item, 100)) {
            *json = out(item);
            return ERR_OK;
        }
        cJSON_Delete(item);
    }
    return err_say(why, ERR_INVALID, "not valid JSON (at byte %zu)", (size_t)(end - text));
}
