#include "failpoint.h"

#include "check.h"

#include <string.h>

static const struct {
    const char *name;
    const char *when;
} FAILPOINTS[] = {
#define FAILPOINT_ROW(constant, name, when) {name, when},
    FAILPOINT_LIST(FAILPOINT_ROW)
#undef FAILPOINT_ROW
};

const char *failpoint_name(enum failpoint failpoint)
{
    CHECK((unsigned)failpoint < FAILPOINT_COUNT);
    return FAILPOINTS[failpoint].name;
}

const char *failpoint_when(enum failpoint failpoint)
{
    CHECK((unsigned)failpoint < FAILPOINT_COUNT);
    return FAILPOINTS[failpoint].when;
}

bool failpoint_is_first(enum failpoint failpoint)
{
    return failpoint == FAILPOINT_RECEIVED || failpoint == FAILPOINT_WEBHOOK;
}

bool failpoint_parse(const char *name, enum failpoint *failpoint)
{
    for (int i = 0; i < FAILPOINT_COUNT; i++) {
        if (strcmp(FAILPOINTS[i].name, name) == 0) {
            *failpoint = (enum failpoint)i;
            return true;
        }
    }
    return false;
}
