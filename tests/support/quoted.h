/* JSON for tests, written with single quotes so that a table in a test reads like the table it is.
 */
#ifndef QUOTED_H
#define QUOTED_H

#include "json.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* Parses TEXT with every ' read as ". The test fails when that is no JSON. */
static inline struct json *quoted(const char *text)
{
    size_t length = strlen(text);
    char copy[2048];
    struct json *json;
    cr_assert_lt(length, sizeof copy);
    for (size_t i = 0; i <= length; i++)
        copy[i] = (char)(text[i] == '\'' ? '"' : text[i]);
    cr_assert_eq(json_parse(copy, length, &json, NULL), ERR_OK, "%s", text);
    return json;
}

/* Whether JSON, which is freed, prints as TEXT, written with single quotes. */
static inline void expect_quoted(struct json *json, const char *text)
{
    char *printed = json_print(json);
    struct json *wanted_json = quoted(text);
    char *wanted = json_print(wanted_json);
    cr_expect_str_eq(printed, wanted);
    free(printed);
    free(wanted);
    json_free(json);
    json_free(wanted_json);
}

#endif
