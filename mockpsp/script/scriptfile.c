#include "scriptfile.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static enum err read_all(FILE *file, const char *name, struct buf *text, struct err_text *why)
{
    char part[4096];
    size_t length;
    while ((length = fread(part, 1, sizeof part, file)) > 0) {
        buf_add(text, part, length);
        if (text->len > SCRIPTFILE_MOST_BYTES)
            return err_say(why, ERR_SCRIPT, "%s: larger than 1 MiB: that is no scenario", name);
    }
    if (ferror(file))
        return err_say(why, ERR_IO, "%s: cannot read it: %s", name, strerror(errno));
    return ERR_OK;
}

enum err scriptfile_read(const char *file, const char *name, struct buf *text, struct err_text *why)
{
    struct stat status;
    /* A fifo would let us wait for ever for somebody to write. */
    if (stat(file, &status) == 0 && !S_ISREG(status.st_mode))
        return err_say(why, ERR_IO, "%s: is no file", name);
    FILE *stream = fopen(file, "re");
    if (stream == NULL)
        return err_say(why, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: cannot open it: %s",
                       name, strerror(errno));
    enum err err = read_all(stream, name, text, why);
    fclose(stream);
    return err;
}
