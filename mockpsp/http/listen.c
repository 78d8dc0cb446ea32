#include "listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define BACKLOG 1024

union address {
    struct sockaddr any;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
};

/* Fills ADDRESS; 0 when HOST is no numeric address, its length otherwise. */
static socklen_t parse(const char *host, int port, union address *address)
{
    memset(address, 0, sizeof *address);
    if (inet_pton(AF_INET, host, &address->v4.sin_addr) == 1) {
        address->v4.sin_family = AF_INET;
        address->v4.sin_port = htons((uint16_t)port);
        return sizeof address->v4;
    }
    if (inet_pton(AF_INET6, host, &address->v6.sin6_addr) == 1) {
        address->v6.sin6_family = AF_INET6;
        address->v6.sin6_port = htons((uint16_t)port);
        return sizeof address->v6;
    }
    return 0;
}

/* SO_REUSEPORT would let two providers share a port that was asked for by number, and each would
 * get half of the requests. So somebody who listens there already is looked for first. */
static int already_listening(const union address *address, socklen_t length)
{
    int fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int connected = fd >= 0 && connect(fd, &address->any, length) == 0;
    close(fd);
    return connected;
}

static void close_keeping_errno(int *fd)
{
    int error = errno;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    errno = error;
}

static enum err bind_socket(const union address *address, socklen_t length, int *fd)
{
    int on = 1;
    *fd = socket(address->any.sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0)
        return ERR_IO;
    setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    setsockopt(*fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on);
    if (bind(*fd, &address->any, length) == 0)
        return ERR_OK;
    close_keeping_errno(fd);
    return ERR_IO;
}

/* Linux gives a port that it chose itself back when the socket stops listening, and would listen
 * again on another; one that was asked for by number stays. So a free port is found with one socket
 * and asked for by another. */
static enum err choose_port(union address *address, socklen_t length, int *fd)
{
    enum err err = bind_socket(address, length, fd);
    if (err == ERR_OK)
        getsockname(*fd, &address->any, &length);
    return err;
}

static enum err open_socket(union address *address, socklen_t length, int port, int *fd)
{
    int chosen = -1;
    enum err err = port == 0 ? choose_port(address, length, &chosen) : ERR_OK;
    if (err == ERR_OK)
        err = bind_socket(address, length, fd);
    if (err == ERR_OK && listen(*fd, BACKLOG) != 0) {
        close_keeping_errno(fd);
        err = ERR_IO;
    }
    close_keeping_errno(&chosen);
    return err;
}

enum err listen_open(const char *host, int port, int *fd, int *bound, struct err_text *why)
{
    union address address;
    socklen_t length = parse(host, port, &address);
    *fd = -1;
    if (length == 0)
        return err_say(why, ERR_INVALID,
                       "'%s' is no numeric address: write 127.0.0.1, ::1 or 0.0.0.0", host);
    if (port != 0 && already_listening(&address, length))
        return err_say(why, ERR_BUSY,
                       "port %d on %s is in use: stop what listens there, or take a free one "
                       "with --port 0",
                       port, host);
    if (open_socket(&address, length, port, fd) != ERR_OK)
        return err_say(why, errno == EADDRINUSE ? ERR_BUSY : ERR_IO,
                       "cannot listen on %s port %d: %s", host, port, strerror(errno));
    *bound = ntohs(address.any.sa_family == AF_INET ? address.v4.sin_port : address.v6.sin6_port);
    return ERR_OK;
}

enum err listen_again(int fd, struct err_text *why)
{
    if (listen(fd, BACKLOG) == 0)
        return ERR_OK;
    return err_say(why, ERR_IO, "cannot listen again: %s", strerror(errno));
}

/* Left behind by somebody who was killed: nobody answers there. */
static void remove_dead(const struct sockaddr_un *address)
{
    struct stat file;
    if (stat(address->sun_path, &file) != 0 || !S_ISSOCK(file.st_mode))
        return;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int alive = fd >= 0 && connect(fd, (const struct sockaddr *)address, sizeof *address) == 0;
    close(fd);
    if (!alive)
        unlink(address->sun_path);
}

enum err listen_open_unix(const char *path, int *fd, struct err_text *why)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *fd = -1;
    if (strlen(path) == 0 || strlen(path) >= sizeof address.sun_path)
        return err_say(why, ERR_INVALID, "--socket takes a path of 1 to %zu characters",
                       sizeof address.sun_path - 1);
    memcpy(address.sun_path, path, strlen(path));
    remove_dead(&address);
    *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd >= 0 && bind(*fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
        listen(*fd, BACKLOG) == 0)
        return ERR_OK;
    enum err err = err_say(why, errno == EADDRINUSE ? ERR_BUSY : ERR_IO,
                           "cannot listen on the socket %s: %s", path, strerror(errno));
    close(*fd);
    *fd = -1;
    return err;
}
