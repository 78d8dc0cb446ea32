#include "descriptors.h"

#include <stdbool.h>
#include <sys/resource.h>

#define MOST 65536 /* some kernels allow a thousand millions, and some libraries walk them all */

static struct rlimit before;
static bool raised;

enum err descriptors_raise(int needed, struct err_text *why)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
        return ERR_OK; /* then what has to be opened decides */
    before = limit;
    rlim_t wanted = limit.rlim_max < MOST ? limit.rlim_max : MOST;
    if (limit.rlim_cur < wanted) {
        limit.rlim_cur = wanted;
        raised = setrlimit(RLIMIT_NOFILE, &limit) == 0;
        if (!raised)
            limit = before;
    }
    if (limit.rlim_cur >= (rlim_t)needed)
        return ERR_OK;
    return err_say(why, ERR_LIMIT,
                   "only %llu files may be open at once, and %d are needed: raise ulimit -n, or "
                   "run fewer worlds at a time (-j)",
                   (unsigned long long)limit.rlim_cur, needed);
}

void descriptors_restore(void)
{
    if (raised)
        setrlimit(RLIMIT_NOFILE, &before);
}
