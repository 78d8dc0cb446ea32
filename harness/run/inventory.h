/* `psp-harness list`: what there is to choose from. */
#ifndef INVENTORY_H
#define INVENTORY_H

#include "buf.h"
#include "err.h"

/* Adds the scenarios in PATH (NULL: ./scenarios, when there is one), failpoints, actions and
 * invariants to OUT. ERR_NOT_FOUND or ERR_IO, with a sentence, when PATH names no scenario; OUT has
 * a part of it then. */
enum err inventory_list(const char *path, struct buf *out, struct err_text *why) MUST_CHECK;

#endif
