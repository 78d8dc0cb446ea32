#include "selftest_cases.h"

#include "buf.h"
#include "duration.h"
#include "json.h"
#include "mem.h"
#include "nearest.h"
#include "order.h"
#include "space.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const FIELDS[] = {"client", "breaks", "cause",    "needs",   "slow", "depth",
                                     "orders", "max",    "restarts", "timeout", NULL};

static enum err read_file(const char *file, struct buf *text, struct err_text *why)
{
    char bytes[4096];
    size_t length;
    FILE *stream = fopen(file, "re");
    if (stream == NULL)
        return err_say(why, ERR_NOT_FOUND, "%s cannot be read: %s", file, strerror(errno));
    while ((length = fread(bytes, 1, sizeof bytes, stream)) > 0)
        buf_add(text, bytes, length);
    bool failed = ferror(stream) != 0;
    fclose(stream);
    return failed ? err_say(why, ERR_NOT_FOUND, "%s cannot be read", file) : ERR_OK;
}

static enum err check_fields(const struct json *json, struct err_text *why)
{
    for (const struct json *field = json_first(json); field != NULL; field = json_next(field)) {
        const char *name = json_name(field);
        size_t i = 0;
        while (FIELDS[i] != NULL && strcmp(FIELDS[i], name) != 0)
            i++;
        if (FIELDS[i] == NULL)
            return err_say(why, ERR_INVALID, "there is no field '%s'%s", name,
                           nearest_hint(name, FIELDS).text);
    }
    return ERR_OK;
}

static enum err read_number(const struct json *json, const char *name, int missing, int highest,
                            int *number, struct err_text *why)
{
    int64_t wide = json_get_int(json, name, missing);
    if (wide < 0 || wide > highest || (json_get(json, name) != NULL && wide == 0))
        return err_say(why, ERR_INVALID, "%s is a number from 1 to %d", name, highest);
    *number = (int)wide;
    return ERR_OK;
}

static enum err read_numbers(const struct json *json, struct selftest_case *read,
                             struct err_text *why)
{
    const char *timeout = json_get_string(json, "timeout");
    enum err err = read_number(json, "depth", 1, SPACE_DEEPEST, &read->depth, why);
    if (err == ERR_OK)
        err = read_number(json, "orders", 1, ORDERS_MOST, &read->orders, why);
    if (err == ERR_OK)
        err = read_number(json, "max", 0, 100000, &read->most, why);
    if (err == ERR_OK)
        err = read_number(json, "restarts", 5, 1000, &read->restarts, why);
    read->timeout_ms = 30000;
    if (err == ERR_OK && timeout != NULL)
        err = duration_parse(timeout, &read->timeout_ms, why);
    return err;
}

static enum err read_case(const struct json *json, struct selftest_case *read, struct err_text *why)
{
    const char *breaks = json_get_string(json, "breaks");
    enum err err = check_fields(json, why);
    *read = (struct selftest_case){.client = mem_strdup(json_get_string(json, "client")),
                                   .bad = breaks != NULL,
                                   .needs = mem_strdup(json_get_string(json, "needs")),
                                   .slow = json_get_bool(json, "slow", false)};
    if (err != ERR_OK)
        return err;
    if (read->client == NULL || *read->client == '\0')
        return err_say(why, ERR_INVALID, "it does not say which client it is");
    if (read->bad && !invariant_parse(breaks, &read->breaks))
        return err_say(why, ERR_INVALID, "there is no invariant '%s'", breaks);
    if (read->bad && !cause_parse(json_get_string(json, "cause"), &read->cause))
        return err_say(why, ERR_INVALID, "a client that breaks something has a cause for it");
    return read_numbers(json, read, why);
}

static void release(struct selftest_case *one)
{
    free(one->client);
    free(one->needs);
}

enum err selftest_cases_read(const char *file, struct selftest_cases *cases, struct err_text *why)
{
    struct buf text = {0};
    struct json *list = NULL;
    struct err_text inner = {0};
    *cases = (struct selftest_cases){0};
    enum err err = read_file(file, &text, why);
    if (err != ERR_OK)
        goto done;
    err = json_parse(buf_string(&text), text.len, &list, &inner);
    if (err == ERR_OK && (!json_is_array(list) || json_count(list) == 0))
        err = err_say(&inner, ERR_INVALID, "it has to be a list of clients");
    if (err != ERR_OK) {
        err = err_say(why, ERR_INVALID, "%s: %s", file, inner.text);
        goto done;
    }
    for (const struct json *json = json_first(list); json != NULL && err == ERR_OK;
         json = json_next(json)) {
        cases->items = mem_resize(cases->items, cases->count + 1, sizeof *cases->items);
        err = read_case(json, &cases->items[cases->count++], &inner);
        if (err != ERR_OK)
            err = err_say(why, ERR_INVALID, "%s: entry %zu: %s", file, cases->count, inner.text);
    }
    if (err != ERR_OK)
        selftest_cases_release(cases);
done:
    json_free(list);
    buf_release(&text);
    return err;
}

void selftest_cases_release(struct selftest_cases *cases)
{
    for (size_t i = 0; i < cases->count; i++)
        release(&cases->items[i]);
    free(cases->items);
    *cases = (struct selftest_cases){0};
}
