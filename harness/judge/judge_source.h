/* Where a journal comes from: a file, or a provider that runs. */
#ifndef JUDGE_SOURCE_H
#define JUDGE_SOURCE_H

#include "err.h"
#include "history.h"

struct judge_source {
    const char *name;    /* a file, "-" for standard input, or a URL */
    const char *api_key; /* of a URL: the journal of this account alone; or NULL */
    const char *token;   /* of a URL: for its X-Mock-Token, or NULL */
};

/* Reads all of it. A file is the answer of /_mock/journal, or one event per line. ERR_NOT_FOUND and
 * ERR_IO: it cannot be had. ERR_INVALID: it is no whole journal; WHY says where it breaks off, or
 * what is no event. EVENTS is empty then. */
enum err judge_source_read(const struct judge_source *source, struct history *events,
                           struct err_text *why) MUST_CHECK;

#endif
