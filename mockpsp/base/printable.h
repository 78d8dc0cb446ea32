/* Text from outside, made fit for a terminal: it is shown there, and does nothing. */
#ifndef PRINTABLE_H
#define PRINTABLE_H

#include "buf.h"

#include <stddef.h>

/* Adds LENGTH bytes of TEXT to OUT. Letters of any script stay; control characters but for those in
 * KEEP ("\n\t"), what is no UTF-8, and characters that reorder or hide others become \xNN, byte by
 * byte. */
void printable_add(struct buf *out, const char *text, size_t length, const char *keep);

/* The same for one line, and at most MOST (at least 8) characters of it: what is too long loses its
 * middle, for two dots. */
void printable_add_short(struct buf *out, const char *text, size_t most);

#endif
