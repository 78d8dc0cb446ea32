/* For a person who watches: a line for each request once it has come to its end, made from the
 * journal alone.
 *
 *   14:03:05 POST   /v1/charges   order_1 key 3f2a..c9   closed   3.0ms  drop at after_commit
 *
 * The time is the provider's, in UTC; the duration is the machine's. What a client sent is shown
 * shortened, and cannot do anything to the terminal. */
#ifndef TERMINAL_H
#define TERMINAL_H

#include "event.h"
#include "loop.h"

#include <stdbool.h>

struct terminal;

/* Lines go to FD, which stays the caller's. */
struct terminal *terminal_new(struct loop *loop, int fd, bool colour);
void terminal_free(struct terminal *terminal); /* before the loop; NULL is fine */

/* Whether to colour what goes to FD: a terminal, TERM says that it can, NO_COLOR is not set. */
bool terminal_has_colour(int fd);

/* A journal_listener; CONTEXT is the terminal. A terminal that is held up does not hold up the
 * provider: when much is waiting for it, lines are left out, and how many were is told later. */
void terminal_event(void *context, const struct event *event);

#endif
