#include "app_port.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* Below the ports that Linux gives out by itself (32768 and up). */
#define FIRST 20000
#define COUNT 12000

/* An abstract socket's name is taken by one process, and free again when that one dies. */
static int lock(int port)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "psp-harness-port-%d", port);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    if (fd < 0 || bind(fd, (struct sockaddr *)&name, size) == 0)
        return fd;
    close(fd);
    return -1;
}

static bool is_free(int port)
{
    struct sockaddr_in any = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int on = 1;
    if (fd < 0)
        return false;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    bool bound = bind(fd, (struct sockaddr *)&any, sizeof any) == 0;
    close(fd);
    return bound;
}

enum err app_port_take(struct app_port *port, struct err_text *why)
{
    for (int i = 0; i < COUNT; i++) {
        int number = FIRST + (int)(((unsigned)getpid() * 7 + (unsigned)i) % COUNT);
        int fd = lock(number);
        if (fd >= 0 && is_free(number)) {
            *port = (struct app_port){.port = number, .lock = fd};
            return ERR_OK;
        }
        if (fd >= 0)
            close(fd);
    }
    return err_say(why, ERR_IO, "no port is free for the client's service");
}

void app_port_release(struct app_port *port)
{
    if (port->port != 0)
        close(port->lock);
    *port = (struct app_port){0};
}
