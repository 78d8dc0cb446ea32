#include "names.h"

#include "mem.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Where WORD is, or would be. */
static size_t place_of(const struct names *names, const char *word, bool *there)
{
    size_t low = 0;
    size_t high = names->count;
    *there = false;
    while (low < high && !*there) {
        size_t middle = low + (high - low) / 2;
        int order = strcmp(names->items[middle].word, word);
        *there = order == 0;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return high;
}

static const char *text_of(const struct name *name)
{
    return name->name == NULL ? name->word : name->name;
}

/* Takes NAME over. */
static const char *insert(struct names *names, size_t place, const char *word, char *name)
{
    names->items = mem_resize(names->items, names->count + 1, sizeof *names->items);
    memmove(names->items + place + 1, names->items + place,
            (names->count - place) * sizeof *names->items);
    names->items[place] = (struct name){mem_strdup(word), name};
    names->count++;
    return text_of(&names->items[place]);
}

void names_know(struct names *names, const char *word)
{
    bool there;
    size_t place = place_of(names, word, &there);
    if (!there)
        insert(names, place, word, NULL);
}

const char *names_find(const struct names *names, const char *word)
{
    bool there;
    size_t place = place_of(names, word, &there);
    return there ? text_of(&names->items[place]) : NULL;
}

static int next_number(struct names *names, const char *kind)
{
    for (size_t i = 0; i < names->kind_count; i++)
        if (strcmp(names->kinds[i].kind, kind) == 0)
            return ++names->kinds[i].last;
    names->kinds = mem_resize(names->kinds, names->kind_count + 1, sizeof *names->kinds);
    names->kinds[names->kind_count].kind = mem_strdup(kind);
    names->kinds[names->kind_count].last = 1;
    names->kind_count++;
    return 1;
}

const char *names_give(struct names *names, const char *kind, const char *word)
{
    bool there;
    size_t place = place_of(names, word, &there);
    if (there)
        return text_of(&names->items[place]);
    return insert(names, place, word, mem_printf("%s_%d", kind, next_number(names, kind)));
}

void names_release(struct names *names)
{
    for (size_t i = 0; i < names->count; i++) {
        free(names->items[i].word);
        free(names->items[i].name);
    }
    for (size_t i = 0; i < names->kind_count; i++)
        free(names->kinds[i].kind);
    free(names->items);
    free(names->kinds);
    *names = (struct names){0};
}
