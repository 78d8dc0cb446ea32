#include "verdict.h"

#include "check.h"

#include <string.h>

static const struct {
    const char *name;
    int status;
} VERDICTS[] = {
#define VERDICT_ROW(constant, name, status) {name, status},
    VERDICT_LIST(VERDICT_ROW)
#undef VERDICT_ROW
};

const char *verdict_name(enum verdict verdict)
{
    CHECK((unsigned)verdict < VERDICT_COUNT);
    return VERDICTS[verdict].name;
}

int verdict_status(enum verdict verdict)
{
    CHECK((unsigned)verdict < VERDICT_COUNT);
    return VERDICTS[verdict].status;
}

enum verdict verdict_worse(enum verdict a, enum verdict b)
{
    return a > b ? a : b;
}

bool verdict_parse(const char *name, enum verdict *verdict)
{
    for (int i = 0; name != NULL && i < VERDICT_COUNT; i++) {
        if (strcmp(VERDICTS[i].name, name) == 0) {
            *verdict = (enum verdict)i;
            return true;
        }
    }
    return false;
}
