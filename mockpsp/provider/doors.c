#include "doors.h"

#include "buf.h"
#include "check.h"
#include "listen.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOOPBACK    "127.0.0.1"
#define LARGEST_PEM ((size_t)1 << 20)

static enum err read_pem(const char *path, char **text, struct err_text *why)
{
    struct buf content = {0};
    char chunk[4096];
    size_t length;
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return err_say(why, ERR_IO, "cannot read %s: %s", path, strerror(errno));
    while (content.len <= LARGEST_PEM && (length = fread(chunk, 1, sizeof chunk, file)) > 0)
        buf_add(&content, chunk, length);
    fclose(file);
    if (strstr(buf_string(&content), "-----BEGIN ") == NULL) {
        buf_release(&content);
        return err_say(why, ERR_INVALID, "%s is no PEM file", path);
    }
    *text = buf_take(&content);
    return ERR_OK;
}

static enum err open_door(struct doors *doors, struct core *core, struct control *control,
                          const struct server_options *options, struct err_text *why)
{
    CHECK(doors->count < DOORS_MOST);
    enum err err = server_start(&doors->servers[doors->count], core, control, options, why);
    if (err == ERR_OK)
        doors->count++;
    else
        close(options->listen_fd);
    return err;
}

static enum err open_port(struct doors *doors, struct core *core, struct control *control,
                          const struct provider_options *options, struct err_text *why)
{
    struct server_options door = {.serves_api = true, .serves_control = !options->control_apart};
    enum err err = ERR_OK;
    if (options->tls_cert != NULL)
        err = read_pem(options->tls_cert, &doors->cert, why);
    if (err == ERR_OK && options->tls_key != NULL)
        err = read_pem(options->tls_key, &doors->key, why);
    if (err == ERR_OK)
        err = listen_open(options->host == NULL ? LOOPBACK : options->host, options->port,
                          &door.listen_fd, &doors->port, why);
    door.tls_cert = doors->cert;
    door.tls_key = doors->key;
    return err == ERR_OK ? open_door(doors, core, control, &door, why) : err;
}

static enum err open_socket(struct doors *doors, struct core *core, struct control *control,
                            const struct provider_options *options, struct err_text *why)
{
    struct server_options door = {
        .path = options->socket, .serves_api = true, .serves_control = !options->control_apart};
    enum err err = listen_open_unix(options->socket, &door.listen_fd, why);
    if (err != ERR_OK)
        return err;
    doors->socket = options->socket;
    return open_door(doors, core, control, &door, why);
}

static enum err open_control(struct doors *doors, struct core *core, struct control *control,
                             const struct provider_options *options, struct err_text *why)
{
    struct server_options door = {.serves_control = true};
    enum err err =
        listen_open(LOOPBACK, options->control_port, &door.listen_fd, &doors->control_port, why);
    return err == ERR_OK ? open_door(doors, core, control, &door, why) : err;
}

enum err doors_open(struct doors *doors, struct core *core, struct control *control,
                    const struct provider_options *options, struct err_text *why)
{
    enum err err = open_port(doors, core, control, options, why);
    doors->control_port = doors->port;
    if (err == ERR_OK && options->socket != NULL)
        err = open_socket(doors, core, control, options, why);
    if (err == ERR_OK && options->control_apart)
        err = open_control(doors, core, control, options, why);
    return err;
}

void doors_drain(struct doors *doors)
{
    for (int i = 0; i < doors->count; i++)
        server_drain(doors->servers[i]);
}

void doors_refuse(struct doors *doors, int64_t ms)
{
    for (int i = 0; i < doors->count; i++)
        server_refuse(doors->servers[i], ms);
}

void doors_listen(struct doors *doors)
{
    for (int i = 0; i < doors->count; i++)
        server_listen(doors->servers[i]);
}

void doors_close(struct doors *doors)
{
    for (int i = 0; i < doors->count; i++)
        server_stop(doors->servers[i]);
    if (doors->socket != NULL)
        unlink(doors->socket);
    free(doors->cert);
    free(doors->key);
    *doors = (struct doors){0};
}
