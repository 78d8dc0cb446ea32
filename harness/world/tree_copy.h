/* A copy of a directory with everything in it. */
#ifndef TREE_COPY_H
#define TREE_COPY_H

#include "err.h"

/* Copies FROM to TO, which is not there yet but has its parent: folders, files (sharing their
 * blocks where the file system can), links as links, with their modes. Sockets and the like are
 * left out. ERR_IO with "path: what" in WHY; what was copied so far stays. */
enum err tree_copy(const char *from, const char *to, struct err_text *why) MUST_CHECK;

#endif
