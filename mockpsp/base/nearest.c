#include "nearest.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define LONGEST 32 /* letters of a word that is compared at all */

static size_t least(size_t a, size_t b, size_t c)
{
    size_t ab = a < b ? a : b;
    return ab < c ? ab : c;
}

/* How many letters to insert, delete, replace, or swap with their neighbour (optimal string
 * alignment), row by row. */
static size_t distance(const char *a, const char *b)
{
    size_t rows[3][LONGEST + 1]; /* of the latest three letters of A, in turns */
    size_t length = strlen(b), i = 0;
    if (strlen(a) > LONGEST || length > LONGEST)
        return SIZE_MAX;
    for (size_t j = 0; j <= length; j++)
        rows[0][j] = j;
    for (i = 1; a[i - 1] != '\0'; i++) {
        size_t *row = rows[i % 3];
        const size_t *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= length; j++) {
            row[j] = least(above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], row[j], higher[j - 2] + 1);
        }
    }
    return rows[(i - 1) % 3][length];
}

/* The one that WORD is but for its capitals, or NULL. */
static const char *but_for_capitals(const char *word, const char *const *words)
{
    while (*words != NULL && strcasecmp(word, *words) != 0)
        words++;
    return *words;
}

const char *nearest_word(const char *word, const char *const *words)
{
    const char *best = but_for_capitals(word, words);
    if (best != NULL)
        return best;
    size_t length = strlen(word);
    size_t best_distance = length < 2 ? 1 : (length + 1) / 3; /* more is another word */
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
