#include "check.h"

#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

_Noreturn void check_failed(const char *condition, const char *file, int line, const char *func)
{
    void *frames[64];
    fprintf(stderr, "%s:%d: %s: this is a bug in mockpsp: CHECK(%s) does not hold\n", file, line,
            func, condition);
    fflush(stderr);
    backtrace_symbols_fd(frames, backtrace(frames, 64), STDERR_FILENO);
    abort();
}
