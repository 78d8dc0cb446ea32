/* An examination: one bundled client under exploration, and whether that came to what it has to. */
#ifndef EXAMINATION_H
#define EXAMINATION_H

#include "selftest_cases.h"
#include "selftest_options.h"
#include "selftest_place.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EXAMINATION_MOST_FAULTS 2 /* in the shortest story of what a client does wrong */

/* X(name, as it should be, what it means) */
#define EXAMINATION_END_LIST(X)                                                                    \
    X(found, true, "a bad one was found, with its cause")                                          \
    X(careful, true, "nothing breaks a good one")                                                  \
    X(skipped, true, "what it needs is not there")                                                 \
    X(unsure, false, "it could not be explored to the end")                                        \
    X(unnoticed, false, "a bad one was not found, or not with its cause")                          \
    X(long_story, false, "a bad one was found, but not in a short story")                          \
    X(accused, false, "something was found that a good one does not do")                           \
    X(error, false, "the harness itself failed")

#define EXAMINATION_END_ENUM(name, good, what) EXAMINATION_##name,
enum examination_end { EXAMINATION_END_LIST(EXAMINATION_END_ENUM) EXAMINATION_END_COUNT };
#undef EXAMINATION_END_ENUM

const char *examination_end_name(enum examination_end end);
bool examination_end_is_good(enum examination_end end);

struct examination {
    const struct selftest_case *of; /* borrowed */
    enum examination_end end;
    char *why;      /* a sentence, when it is neither found nor careful; or NULL */
    char *schedule; /* the shortest one that shows what was found, or NULL */
    size_t faults;  /* in it */
    int confirmed;  /* of so many more runs of it */
    int asked;      /* so many showed the same */
    size_t played;  /* schedules */
    int64_t took_ms;
    bool interrupted; /* by SIGINT or SIGTERM */
};

/* Explores the client of OF, which needs nothing that is missing, until it is known. SHOW is told
 * now and then how many schedules were played and how many are due. */
struct examination_view {
    void (*show)(void *context, const struct selftest_case *of, size_t played, size_t due);
    void *context;
};
void examination_run(struct examination *examination, const struct selftest_case *of,
                     const struct selftest_place *place, const struct selftest_options *options,
                     struct examination_view view);
void examination_release(struct examination *examination);

#endif
