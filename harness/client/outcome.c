#include "outcome.h"

#include "check.h"

#include <string.h>

static const char *const NAMES[] = {
#define OUTCOME_NAME(constant, name) name,
    OUTCOME_LIST(OUTCOME_NAME)
#undef OUTCOME_NAME
};

const char *outcome_name(enum outcome outcome)
{
    CHECK((unsigned)outcome < OUTCOME_COUNT);
    return NAMES[outcome];
}

bool outcome_parse(const char *name, enum outcome *outcome)
{
    for (int i = OUTCOME_SUCCEEDED; i < OUTCOME_COUNT; i++) {
        if (strcmp(NAMES[i], name) != 0)
            continue;
        *outcome = (enum outcome)i;
        return true;
    }
    return false;
}
