/* The command line of mockpsp: one table is the parser, the help and what the tests compare the
 * README with. */
#ifndef SETTINGS_H
#define SETTINGS_H

#include "buf.h"
#include "dialect.h"
#include "err.h"
#include "json.h"
#include "provider.h"

#include <stdbool.h>

struct settings {
    struct provider_options provider;
    const char *faults;     /* a Lua file, or NULL */
    const char *port_file;  /* or NULL */
    struct dialect dialect; /* what provider.dialect points to when it was asked for */
    bool quiet;
    bool help;
    bool version;
    bool luals_meta;
};

/* Fills SETTINGS from ARGV, which ends with NULL and starts after the program's name, defaults
 * included. ERR_INVALID with a sentence in WHY. Strings are borrowed from ARGV. */
enum err settings_read(char *const *argv, struct settings *settings,
                       struct err_text *why) MUST_CHECK;

/* One line per option. */
void settings_help(struct buf *out);

/* The same for machines: an array of {name, value, help}, owned by the caller. */
struct json *settings_describe(void);

#endif
