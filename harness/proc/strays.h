/* Processes that somebody left behind: daemons that changed their group, orphans of orphans.
 *
 * A world adopts those of its clients, the harness those of a world that was killed, and each ends
 * them before it ends itself, so that no run leaves anything on the machine. */
#ifndef STRAYS_H
#define STRAYS_H

/* From here on, orphans below this process become its children. Children that it has already (a
 * shell may have started some before it became us) are not ours to end. */
void strays_adopt(void);

/* Kills every child that came after strays_adopt, and theirs as they are adopted, and collects them
 * all. */
void strays_end(void);

#endif
