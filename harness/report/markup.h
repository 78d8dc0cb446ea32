/* Text in XML and HTML. */
#ifndef MARKUP_H
#define MARKUP_H

#include "buf.h"

/* Adds TEXT with <, >, &, and quotes as entities; what XML 1.0 cannot hold at all (control
 * characters) becomes a question mark. */
void markup_text(const char *text, struct buf *out);

#endif
