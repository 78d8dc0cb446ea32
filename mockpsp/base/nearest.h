/* "Did you mean …?" for a mistyped word. */
#ifndef NEAREST_H
#define NEAREST_H

/* Of WORDS, which end with NULL, the one that WORD was most likely meant to be, or NULL when none
 * is near enough to be worth naming. */
const char *nearest_word(const char *word, const char *const *words);

/* Room for any hint. */
struct nearest_text {
    char text[64];
};

/* " (did you mean received?)", to go right behind WORD in an error, or "" when there is none. */
struct nearest_text nearest_hint(const char *word, const char *const *words);

#endif
