/* Asks an invariant about a history written with past.h, and keeps what it found. */
#ifndef ASKED_H
#define ASKED_H

#include "invariant.h"
#include "past.h"

#include <stdbool.h>
#include <string.h>

enum answer { HOLDS, VIOLATED, CANNOT_TELL };

static struct findings findings;

static inline enum answer ask(enum invariant invariant, const struct past *past)
{
    findings_release(&findings);
    invariant_check(invariant, &past->history, &past->orders, &findings);
    if (findings.count == 0)
        return HOLDS;
    return findings_of(&findings, invariant)->violated ? VIOLATED : CANNOT_TELL;
}

static inline bool says(const char *words)
{
    for (size_t i = 0; i < findings.count; i++)
        if (strstr(findings.items[i].sentence, words) != NULL)
            return true;
    return false;
}

static inline void forget(struct past *past)
{
    findings_release(&findings);
    past_release(past);
}

#endif
