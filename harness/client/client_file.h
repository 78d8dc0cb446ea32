/* A client file: a Lua file that says what a client is made of, and ends with
 * `return client { … }`. It is read under the same guard as a scenario is. */
#ifndef CLIENT_FILE_H
#define CLIENT_FILE_H

#include "client_plan.h"
#include "err.h"

#include <stdint.h>

struct client_file;

/* Loads and checks FILE. Anything wrong with it is ERR_SCRIPT (ERR_NOT_FOUND, ERR_IO for a file
 * itself) with "file:line: what and remedy" in WHY. SEED decides its random numbers. */
enum err client_file_load(const char *file, uint64_t seed, struct client_file **client,
                          struct err_text *why) MUST_CHECK;

/* The client that is one COMMAND per order, as after "--"; the list is copied. */
struct client_file *client_file_of_command(char *const *command);

void client_file_free(struct client_file *client); /* NULL is fine */

/* Valid as long as CLIENT. */
const struct client_plan *client_file_plan(const struct client_file *client);

#endif
