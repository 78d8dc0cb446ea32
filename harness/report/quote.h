/* Words as a shell takes them, for commands that a person copies. */
#ifndef QUOTE_H
#define QUOTE_H

#include "buf.h"

/* Adds WORD to OUT, quoted only where it has to be: $x becomes '$x', it's becomes 'it'\''s'. */
void quote_word(struct buf *out, const char *word);

#endif
