/* Processes that somebody left behind: daemons that changed their group, orphans of orphans.
 *
 * A world adopts those of its clients, the harness those of a world that was killed, and each ends
 * them before it ends itself, so that no run leaves anything on the machine. */
#ifndef STRAYS_H
#define STRAYS_H

#include <stdbool.h>

/* From here on, orphans below this process become its children. Children that it has already (a
 * shell may have started some before it became us) are not ours to end: they are spared. */
void strays_adopt(void);

/* Kills everybody below this process who is not spared, and collects them. False when somebody was
 * still there after some seconds: forks that outrun us, or what we may not kill. */
bool strays_end(void) __attribute__((warn_unused_result));

#endif
