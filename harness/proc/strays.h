/* Processes that a client left behind: daemons that changed their group, orphans of orphans.
 *
 * A world adopts them (it is a subreaper) and ends them before it ends itself, so that no run
 * leaves anything on the machine. */
#ifndef STRAYS_H
#define STRAYS_H

/* From here on, orphans below this process become its children. */
void strays_adopt(void);

/* Kills every child of this process, and theirs as they are adopted, and collects them all. */
void strays_end(void);

#endif
