/* Removes a directory with all that is in it, whatever a client has left there: no permission bits,
 * sockets, ten thousand directories one in the other. Links are removed, not followed. */
#ifndef TREE_REMOVE_H
#define TREE_REMOVE_H

/* The file LAST in it goes when nothing else is left to go. What cannot be removed (a file of
 * another user) stays, with the directories above it. Nobody else may be at work in there. */
void tree_remove(const char *path, const char *last);

#endif
