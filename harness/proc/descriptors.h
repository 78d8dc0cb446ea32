/* How many descriptors may be open at once (ulimit -n). */
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include "err.h"

/* Raises the soft limit of this process to the hard one, within reason. ERR_LIMIT with a sentence
 * when fewer than NEEDED are to be had. */
enum err descriptors_raise(int needed, struct err_text *why) MUST_CHECK;

/* In a child: the limit is again what it was before, as its user has set it. */
void descriptors_restore(void);

#endif
