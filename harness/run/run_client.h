/* Whose client it is: a command after --, or a client file, and what its `prepare` has made. */
#ifndef RUN_CLIENT_H
#define RUN_CLIENT_H

#include "buf.h"
#include "client_file.h"
#include "err.h"
#include "prepared.h"

#include <stdint.h>

struct run_client {
    const char *file;         /* of --client, borrowed; NULL: it is COMMAND */
    char *const *command;     /* ends with NULL, borrowed; NULL: there is none */
    struct client_file *read; /* FILE, or NULL */
    struct prepared prepared;
};

/* Takes what the command line says, which has to be one of both. ERR_INVALID or the error of the
 * file, with a sentence. COMMAND_NAME is for the advice in it: "run scenarios". */
enum err run_client_find(struct run_client *client, const char *file, char *const *command,
                         const char *command_name, uint64_t seed, struct err_text *why) MUST_CHECK;

/* Runs its prepare, if it has one, see prepared_make. */
enum err run_client_prepare(struct run_client *client, int64_t timeout_ms,
                            struct err_text *why) MUST_CHECK;

/* Appends it as a shell takes it: " --client app.lua", " -- ./pay {order}". */
void run_client_describe(const struct run_client *client, struct buf *out);

void run_client_release(struct run_client *client);

#endif
