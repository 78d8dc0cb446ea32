#include "blank.h"

#include "check.h"
#include "store.h"
#include "store_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* Of the header, https://www.sqlite.org/fileformat2.html: who reads and writes it uses a WAL. */
enum { WRITE_VERSION = 18, READ_VERSION = 19, VERSION_WAL = 2 };

static unsigned char *image; /* kept until the process ends */
static size_t image_size;

enum err blank_make(struct err_text *why)
{
    struct store *store;
    sqlite3_int64 size = 0;
    if (image != NULL)
        return ERR_OK;
    enum err err = store_open(&store, &(struct store_options){0}, why);
    if (err != ERR_OK)
        return err;
    image = sqlite3_serialize(store->db, "main", &size, 0);
    store_close(store);
    if (image == NULL)
        return err_say(why, ERR_IO, "an empty database cannot be had from SQLite");
    CHECK(size > READ_VERSION);
    image_size = (size_t)size;
    image[WRITE_VERSION] = VERSION_WAL; /* or the first to open it would have to say so */
    image[READ_VERSION] = VERSION_WAL;
    return ERR_OK;
}

enum err blank_write(const char *path, struct err_text *why)
{
    enum err err = blank_make(why);
    if (err != ERR_OK)
        return err;
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    ssize_t length = fd < 0 ? -1 : write(fd, image, image_size);
    if (length >= 0 && (size_t)length != image_size)
        errno = ENOSPC;
    if (length < 0 || (size_t)length != image_size)
        err = err_say(why, ERR_IO, "cannot write database %s: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    return err;
}
