#include "run_client.h"

#include "quote.h"

#include <stdbool.h>
#include <stddef.h>

enum err run_client_find(struct run_client *client, const char *file, char *const *command,
                         const char *command_name, uint64_t seed, struct err_text *why)
{
    bool has_command = command != NULL && command[0] != NULL;
    *client = (struct run_client){.file = file, .command = command};
    if (file != NULL && has_command)
        return err_say(why, ERR_INVALID, "two clients: --client %s, and what is written after --",
                       file);
    if (file != NULL)
        return client_file_load(file, seed, &client->read, why);
    if (!has_command)
        return err_say(why, ERR_INVALID,
                       "no client: write its command after --, as in "
                       "psp-harness %s -- ./my-client, or name its file with --client",
                       command_name);
    return ERR_OK;
}

enum err run_client_prepare(struct run_client *client, int64_t timeout_ms, struct err_text *why)
{
    return client->read == NULL
               ? ERR_OK
               : prepared_make(client_file_plan(client->read), timeout_ms, &client->prepared, why);
}

void run_client_describe(const struct run_client *client, struct buf *out)
{
    buf_add_string(out, client->file == NULL ? " --" : " --client ");
    if (client->file != NULL)
        quote_word(out, client->file);
    for (char *const *word = client->command; client->file == NULL && *word != NULL; word++) {
        buf_add_char(out, ' ');
        quote_word(out, *word);
    }
}

void run_client_release(struct run_client *client)
{
    client_file_free(client->read);
    prepared_release(&client->prepared);
    *client = (struct run_client){0};
}
