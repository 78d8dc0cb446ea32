/* The text of a Lua file, read with care: a regular file, of a size that people write. */
#ifndef SCRIPTFILE_H
#define SCRIPTFILE_H

#include "buf.h"
#include "err.h"

#define SCRIPTFILE_MOST_BYTES ((size_t)1 << 20)

/* Reads FILE into TEXT (to be released in either case). NAME is what messages call it.
 * ERR_NOT_FOUND when it is not there, ERR_IO when it cannot be read, ERR_SCRIPT when it is too
 * large; "name: what" in WHY. */
enum err scriptfile_read(const char *file, const char *name, struct buf *text,
                         struct err_text *why) MUST_CHECK;

#endif
