#include "log.h"

#include "buf.h"
#include "printable.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *log_name = "mockpsp";
static bool log_quiet;

void log_set_name(const char *name)
{
    log_name = name;
}

void log_set_quiet(bool quiet)
{
    log_quiet = quiet;
}

/* One write per line, so that lines of several processes do not mix. */
__attribute__((format(printf, 2, 0))) static void say(const char *kind, const char *format,
                                                      va_list args)
{
    struct buf line = {0};
    struct buf text = {0};
    buf_addf(&line, "%s: %s", log_name, kind);
    buf_addv(&text, format, args);
    printable_add(&line, buf_string(&text), text.len, "\n\t"); /* a client's words may be in it */
    buf_add_char(&line, '\n');
    fflush(stderr);
    ssize_t written = write(STDERR_FILENO, line.data, line.len);
    (void)written; /* nobody is left to tell */
    buf_release(&line);
    buf_release(&text);
}

void log_info(const char *format, ...)
{
    if (log_quiet)
        return;
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
}

void log_warn(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("warning: ", format, args);
    va_end(args);
}

void log_error(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("error: ", format, args);
    va_end(args);
}
