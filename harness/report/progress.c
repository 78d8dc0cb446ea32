#include "progress.h"

#include "printable.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void progress_init(struct progress *progress)
{
    const char *term = getenv("TERM");
    *progress = (struct progress){0};
    progress->shown = isatty(STDERR_FILENO) && term != NULL && strcmp(term, "dumb") != 0;
}

void progress_show(struct progress *progress, size_t done, size_t all, const char *running)
{
    struct buf text = {0};
    if (!progress->shown)
        return;
    printable_add_short(&text, running, 60);
    fprintf(stderr, "\r\033[K%zu/%zu  running: %s", done, all, buf_string(&text));
    buf_release(&text);
    fflush(stderr);
    progress->dirty = true;
}

void progress_clear(struct progress *progress)
{
    if (!progress->dirty)
        return;
    fflush(stdout);
    fputs("\r\033[K", stderr);
    fflush(stderr);
    progress->dirty = false;
}
