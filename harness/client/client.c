#include "client.h"

#include "buf.h"
#include "mem.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *variable; /* or NULL */
    const char *placeholder;
    size_t field;
} VALUES[] = {
#define CLIENT_VALUE_ROW(variable, placeholder, field, what)                                       \
    {variable, placeholder, offsetof(struct client_values, field)},
    CLIENT_VALUE_LIST(CLIENT_VALUE_ROW)
#undef CLIENT_VALUE_ROW
};

#define VALUE_COUNT (sizeof VALUES / sizeof VALUES[0])

static const char *value_of(const struct client_values *values, size_t i)
{
    const char *value;
    memcpy(&value, (const char *)values + VALUES[i].field, sizeof value);
    return value == NULL ? "" : value;
}

static bool is_given(const struct client_values *values, size_t i)
{
    const char *value;
    memcpy(&value, (const char *)values + VALUES[i].field, sizeof value);
    return value != NULL;
}

static size_t list_count(char *const *list)
{
    size_t count = 0;
    while (list[count] != NULL)
        count++;
    return count;
}

char *client_fill(const char *word, const struct client_values *values)
{
    struct buf filled = {0};
    while (*word != '\0') {
        size_t i = 0;
        while (i < VALUE_COUNT &&
               strncmp(word, VALUES[i].placeholder, strlen(VALUES[i].placeholder)) != 0)
            i++;
        if (i < VALUE_COUNT) {
            buf_add_string(&filled, value_of(values, i));
            word += strlen(VALUES[i].placeholder);
        } else {
            buf_add_char(&filled, *word++);
        }
    }
    return buf_take(&filled);
}

char **client_list_copy(char *const *list)
{
    char **copy = mem_alloc((list_count(list) + 1) * sizeof *copy);
    for (size_t i = 0; list[i] != NULL; i++)
        copy[i] = mem_strdup(list[i]);
    return copy;
}

void client_list_add(char ***list, char *text)
{
    size_t count = *list == NULL ? 0 : list_count(*list);
    *list = mem_resize(*list, count + 2, sizeof **list);
    (*list)[count] = text;
    (*list)[count + 1] = NULL;
}

char **client_command(char *const *command, const struct client_values *values)
{
    size_t count = list_count(command);
    char **filled = mem_alloc((count + 1) * sizeof *filled);
    for (size_t i = 0; i < count; i++)
        filled[i] = client_fill(command[i], values);
    return filled;
}

static bool names(const char *entry, const char *variable)
{
    size_t length = strlen(variable);
    return strncmp(entry, variable, length) == 0 && entry[length] == '=';
}

void client_list_set(char ***list, char *entry)
{
    char *name = mem_strndup(entry, strcspn(entry, "="));
    char **at = *list;
    while (*at != NULL && !names(*at, name))
        at++;
    free(name);
    if (*at == NULL) {
        client_list_add(list, entry);
        return;
    }
    free(*at);
    *at = entry;
}

/* What has no value here is not ours to take from the user. */
static bool is_ours(const char *entry, const struct client_values *values)
{
    for (size_t i = 0; i < VALUE_COUNT; i++)
        if (VALUES[i].variable != NULL && is_given(values, i) && names(entry, VALUES[i].variable))
            return true;
    return names(entry, "no_proxy") || names(entry, "NO_PROXY");
}

static bool is_in(char *const *list, const char *entry)
{
    char *name = mem_strndup(entry, strcspn(entry, "="));
    while (*list != NULL && !names(*list, name))
        list++;
    free(name);
    return *list != NULL;
}

/* The user's exceptions stay; ours comes first. */
static char *no_proxy(char *const *base, const char *variable, const char *host)
{
    for (; *base != NULL; base++)
        if (names(*base, variable))
            return mem_printf("%s=%s,%s", variable, host, *base + strlen(variable) + 1);
    return mem_printf("%s=%s", variable, host);
}

/* Whoever is named twice has what comes last. */
static char **without_twins(char **list)
{
    char **kept = mem_alloc(sizeof *kept);
    for (char **entry = list; *entry != NULL; entry++)
        if (!is_in(entry + 1, *entry))
            client_list_add(&kept, mem_strdup(*entry));
    client_list_free(list);
    return kept;
}

char **client_environment(char *const *base, const struct client_values *values, char *const *more)
{
    char **list = mem_alloc(sizeof *list);
    for (char *const *entry = base; *entry != NULL; entry++)
        if (!is_ours(*entry, values))
            client_list_add(&list, mem_strdup(*entry));
    for (size_t i = 0; i < VALUE_COUNT; i++)
        if (VALUES[i].variable != NULL && is_given(values, i))
            client_list_add(&list, mem_printf("%s=%s", VALUES[i].variable, value_of(values, i)));
    client_list_add(&list, no_proxy(base, "no_proxy", values->host));
    client_list_add(&list, no_proxy(base, "NO_PROXY", values->host));
    for (; *more != NULL; more++)
        client_list_add(&list, client_fill(*more, values));
    return without_twins(list);
}

void client_list_free(char **list)
{
    for (char **entry = list; entry != NULL && *entry != NULL; entry++)
        free(*entry);
    free(list);
}
