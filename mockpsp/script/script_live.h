/* A Lua file of faults that is edited while it is in use, as a fault source: `mockpsp --faults`.
 *
 * When the file, or one that it is made of, changes on disk it is loaded anew, and counting starts
 * anew. What cannot be loaded is told with file and line, and what was in force stays in force,
 * also while the file is gone. An exchange keeps to its end the version that it began with. */
#ifndef SCRIPT_LIVE_H
#define SCRIPT_LIVE_H

#include "loop.h"
#include "script.h"

struct script_live;

/* Loads FILE and keeps looking at it. Fails as script_load does; *LIVE is NULL then. */
enum err script_live_open(struct script_live **live, struct loop *loop, const char *file,
                          const struct script_options *options, struct err_text *why) MUST_CHECK;

/* After every exchange has ended, and before the loop. NULL is fine. */
void script_live_close(struct script_live *live);

/* The seam; valid as long as LIVE. */
struct fault_source script_live_faults(struct script_live *live);

#endif
