#include "nearest.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 32 /* letters of a word that is compared at all */

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* How many letters to insert, delete or replace (Levenshtein), row by row. */
static size_t distance(const char *a, const char *b)
{
    size_t row[LONGEST + 1];
    size_t length = strlen(b);
    if (strlen(a) > LONGEST || length > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= length; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1] != '\0'; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            size_t above = row[j];
            row[j] = least(above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1]));
            diagonal = above;
        }
    }
    return row[length];
}

const char *nearest_word(const char *word, const char *const *words)
{
    const char *best = NULL;
    size_t best_distance = strlen(word) / 3 + 1;
    for (; *words != NULL; words++) {
        size_t here = distance(word, *words);
        if (here < best_distance || (here == best_distance && best == NULL)) {
            best = *words;
            best_distance = here;
        }
    }
    return best;
}

struct nearest_text nearest_hint(const char *word, const char *const *words)
{
    struct nearest_text hint = {""};
    const char *meant = nearest_word(word, words);
    if (meant != NULL)
        snprintf(hint.text, sizeof hint.text, " (did you mean %s?)", meant);
    return hint;
}
