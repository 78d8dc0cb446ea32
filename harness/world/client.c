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

static size_t list_count(char *const *list)
{
    size_t count = 0;
    while (list[count] != NULL)
        count++;
    return count;
}

static char *fill(const char *word, const struct client_values *values)
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

char **client_command(char *const *command, const struct client_values *values)
{
    size_t count = list_count(command);
    char **filled = mem_alloc((count + 1) * sizeof *filled);
    for (size_t i = 0; i < count; i++)
        filled[i] = fill(command[i], values);
    return filled;
}

static bool names(const char *entry, const char *variable)
{
    size_t length = strlen(variable);
    return strncmp(entry, variable, length) == 0 && entry[length] == '=';
}

static bool is_ours(const char *entry)
{
    for (size_t i = 0; i < VALUE_COUNT; i++)
        if (VALUES[i].variable != NULL && names(entry, VALUES[i].variable))
            return true;
    return names(entry, "no_proxy") || names(entry, "NO_PROXY");
}

/* The user's exceptions stay; ours comes first. */
static char *no_proxy(char *const *base, const char *variable, const char *host)
{
    for (; *base != NULL; base++)
        if (names(*base, variable))
            return mem_printf("%s=%s,%s", variable, host, *base + strlen(variable) + 1);
    return mem_printf("%s=%s", variable, host);
}

char **client_environment(char *const *base, const struct client_values *values)
{
    char **list = mem_alloc((list_count(base) + VALUE_COUNT + 3) * sizeof *list);
    size_t count = 0;
    for (char *const *entry = base; *entry != NULL; entry++)
        if (!is_ours(*entry))
            list[count++] = mem_strdup(*entry);
    for (size_t i = 0; i < VALUE_COUNT; i++)
        if (VALUES[i].variable != NULL)
            list[count++] = mem_printf("%s=%s", VALUES[i].variable, value_of(values, i));
    list[count++] = no_proxy(base, "no_proxy", values->host);
    list[count++] = no_proxy(base, "NO_PROXY", values->host);
    return list;
}

void client_list_free(char **list)
{
    for (char **entry = list; entry != NULL && *entry != NULL; entry++)
        free(*entry);
    free(list);
}
