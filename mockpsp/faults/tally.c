#include "tally.h"

#include "mem.h"

#include <stdlib.h>
#include <string.h>

struct tally_entry {
    char *name; /* NULL: the place is free */
    uint64_t hash;
    uint64_t count;
};

/* One name for both. An account holds no line break, and "-" and "+" tell nothing from "". */
static char *name_of(const char *account, const char *what)
{
    return mem_printf("%s\n%c%s", account == NULL ? "" : account, what == NULL ? '-' : '+',
                      what == NULL ? "" : what);
}

/* FNV-1a */
static uint64_t hash_of(const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *name != '\0'; name++)
        hash = (hash ^ (unsigned char)*name) * UINT64_C(1099511628211);
    return hash;
}

/* Where NAME is, or where it would go; there is a free place. */
static struct tally_entry *place_of(const struct tally *tally, const char *name, uint64_t hash)
{
    size_t at = (size_t)hash & (tally->size - 1);
    while (tally->entries[at].name != NULL &&
           (tally->entries[at].hash != hash || strcmp(tally->entries[at].name, name) != 0))
        at = (at + 1) & (tally->size - 1);
    return &tally->entries[at];
}

static void grow(struct tally *tally)
{
    struct tally larger = {.size = tally->size == 0 ? 16 : tally->size * 2, .count = tally->count};
    larger.entries = mem_alloc(larger.size * sizeof *larger.entries);
    for (size_t i = 0; i < tally->size; i++)
        if (tally->entries[i].name != NULL)
            *place_of(&larger, tally->entries[i].name, tally->entries[i].hash) = tally->entries[i];
    free(tally->entries);
    *tally = larger;
}

uint64_t tally_next(struct tally *tally, const char *account, const char *what)
{
    char *name = name_of(account, what);
    uint64_t hash = hash_of(name);
    if (tally->count * 2 >= tally->size)
        grow(tally);
    struct tally_entry *entry = place_of(tally, name, hash);
    if (entry->name != NULL) {
        free(name);
    } else {
        *entry = (struct tally_entry){.name = name, .hash = hash};
        tally->count++;
    }
    return ++entry->count;
}

void tally_release(struct tally *tally)
{
    for (size_t i = 0; i < tally->size; i++)
        free(tally->entries[i].name);
    free(tally->entries);
    *tally = (struct tally){0};
}
