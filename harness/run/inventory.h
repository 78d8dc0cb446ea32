/* `psp-harness list`: what there is to choose from. */
#ifndef INVENTORY_H
#define INVENTORY_H

#include "buf.h"

/* Adds the scenarios in PATH (NULL: ./scenarios, when there is one), failpoints, actions and
 * invariants to OUT. */
void inventory_list(const char *path, struct buf *out);

#endif
