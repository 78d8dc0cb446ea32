/* Where the bundled clients are: in the sources, beside a build, or installed. */
#ifndef SELFTEST_PLACE_H
#define SELFTEST_PLACE_H

#include "err.h"

#include <stdbool.h>

#define SELFTEST_LIST "selftest.json" /* in their folder */

struct selftest_place {
    char *clients;  /* the folder, absolute */
    char *programs; /* where the program is that runs: those that were built lie beside it */
};

/* GIVEN is a folder; NULL: ./scenarios/clients, else that of the sources this program was built in,
 * else that of its installation. ERR_NOT_FOUND with a sentence; release PLACE in either case. */
enum err selftest_place_find(const char *given, struct selftest_place *place,
                             struct err_text *why) MUST_CHECK;
void selftest_place_release(struct selftest_place *place);

/* The path of WORD: a file of the folder, or a program that was built; NULL: there is none. The
 * caller frees it. */
char *selftest_place_file(const struct selftest_place *place, const char *word);

/* The first of NEEDS, see selftest_cases.h, that is not there; NULL: all are. The caller frees it.
 */
char *selftest_place_lacks(const struct selftest_place *place, const char *needs);

#endif
