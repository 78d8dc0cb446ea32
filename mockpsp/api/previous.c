#include "previous.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static bool same(const struct json *one, const struct json *other)
{
    if (one == NULL || other == NULL)
        return one == other;
    char *text = json_print(one), *other_text = json_print(other);
    bool equal = strcmp(text, other_text) == 0;
    free(text);
    free(other_text);
    return equal;
}

static void add_change(struct json *changes, const char *name, const struct json *was,
                       const struct json *is)
{
    if (same(was, is))
        return;
    if (was == NULL)
        json_set_null(changes, name);
    else if (json_is_object(was) && json_is_object(is))
        json_set(changes, name, previous_attributes(was, is));
    else
        json_set(changes, name, json_copy(was));
}

struct json *previous_attributes(const struct json *before, const struct json *after)
{
    struct json *changes = json_object();
    for (const struct json *was = json_first(before); was != NULL; was = json_next(was))
        add_change(changes, json_name(was), was, json_get(after, json_name(was)));
    for (const struct json *is = json_first(after); is != NULL; is = json_next(is))
        if (json_get(before, json_name(is)) == NULL)
            add_change(changes, json_name(is), NULL, is);
    return changes;
}
