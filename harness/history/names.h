/* Names for words that are made anew in every run, by the order in which they are met. */
#ifndef NAMES_H
#define NAMES_H

#include <stddef.h>

struct name {
    char *word;
    char *name; /* NULL: the word itself */
};

/* A zeroed one is empty. */
struct names {
    struct name *items; /* sorted by word */
    size_t count;
    struct {
        char *kind;
        int last; /* the last number given out */
    } * kinds;
    size_t kind_count;
};

/* WORD is the same in every run and keeps its name, unless it has got another one. */
void names_know(struct names *names, const char *word);

/* The name of WORD, or NULL when it has none; borrowed until NAMES is released. */
const char *names_find(const struct names *names, const char *word);

/* The name of WORD; "KIND_1", "KIND_2" and so on when it has none yet. Borrowed likewise. */
const char *names_give(struct names *names, const char *kind, const char *word);

void names_release(struct names *names);

#endif
