#include "acceptor.h"

#include "check.h"
#include "clock.h"
#include "listen.h"
#include "log.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#define AT_ONCE  64  /* then others have their turn */
#define RETRY_MS 100 /* descriptors run out: somebody else may have given one back */

static void ready(void *context, int events)
{
    (void)events;
    acceptor_take_waiting(context);
}

static void watch(struct acceptor *acceptor)
{
    if (acceptor->watch == NULL)
        acceptor->watch = loop_watch(acceptor->loop, acceptor->fd, LOOP_READABLE, ready, acceptor);
}

static void unwatch(struct acceptor *acceptor)
{
    loop_watch_stop(acceptor->watch);
    acceptor->watch = NULL;
    loop_timer_stop(acceptor->timer);
    acceptor->timer = NULL;
}

/* --- taking connections ----------------------------------------------------------------------- */

static void try_again(void *context)
{
    struct acceptor *acceptor = context;
    acceptor->timer = NULL;
    watch(acceptor);
}

/* The connection stays in the kernel, where it keeps the descriptor readable: without a pause the
 * loop would do nothing but look. */
static void pause_for_descriptors(struct acceptor *acceptor)
{
    if (!acceptor->short_of_descriptors)
        log_warn("cannot accept a connection: %s; %u are open, the next waits", strerror(errno),
                 acceptor->open);
    acceptor->short_of_descriptors = true;
    unwatch(acceptor);
    acceptor->timer = loop_after(acceptor->loop, RETRY_MS, try_again, acceptor);
}

/* Errors of one connection, which is gone: accept(2). The next may be well. */
static bool is_of_one_connection(int error)
{
    static const int errors[] = {EINTR,  ECONNABORTED, EPROTO,       ENETDOWN,   ENOPROTOOPT, EPERM,
                                 ENONET, EHOSTDOWN,    EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH};
    for (size_t i = 0; i < sizeof errors / sizeof errors[0]; i++)
        if (errors[i] == error)
            return true;
    return false;
}

/* Takes one. Whether it is worth while to try another. */
static bool take_one(struct acceptor *acceptor)
{
    struct sockaddr_storage from = {0};
    socklen_t length = sizeof from;
    if (acceptor->open >= acceptor->most) {
        unwatch(acceptor); /* until one has left */
        return false;
    }
    int fd = accept4(acceptor->fd, (struct sockaddr *)&from, &length, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (fd >= 0) {
        acceptor->take(acceptor->context, fd, (struct sockaddr *)&from, length);
        return true;
    }
    if (errno == EAGAIN) {
        acceptor->short_of_descriptors = false; /* with none left, accept fails otherwise */
        return false;
    }
    if (is_of_one_connection(errno))
        return true;
    pause_for_descriptors(acceptor);
    return false;
}

bool acceptor_take_waiting(struct acceptor *acceptor)
{
    if (acceptor->watch == NULL)
        return false;
    for (int i = 0; i < AT_ONCE; i++)
        if (!take_one(acceptor))
            return false;
    return true;
}

void acceptor_joined(struct acceptor *acceptor)
{
    acceptor->open++;
}

void acceptor_left(struct acceptor *acceptor)
{
    CHECK(acceptor->open > 0);
    acceptor->open--;
    if (!acceptor->refuses && acceptor->fd >= 0 && acceptor->watch == NULL) {
        unwatch(acceptor); /* room, or a descriptor: no need to wait for the timer */
        watch(acceptor);
    }
}

/* --- refusing --------------------------------------------------------------------------------- */

/* A port stays bound when a listening TCP socket is shut for reading (tcp_disconnect in Linux
 * leaves a port that was asked for by number alone), and listens again when asked. A Unix socket
 * that was shut never does; but its file, with nobody behind it, refuses. */
static void stop_listening(struct acceptor *acceptor)
{
    unwatch(acceptor);
    acceptor->refuses = true;
    if (acceptor->path == NULL) {
        CHECK(shutdown(acceptor->fd, SHUT_RD) == 0);
        return;
    }
    close(acceptor->fd);
    acceptor->fd = -1;
}

static void end_refusal(void *context)
{
    struct acceptor *acceptor = context;
    struct err_text why = {0};
    enum err err = acceptor->path == NULL ? listen_again(acceptor->fd, &why)
                                          : listen_open_unix(acceptor->path, &acceptor->fd, &why);
    acceptor->timer = NULL;
    if (err != ERR_OK) {
        log_error("still refusing: %s", why.text);
        acceptor->timer = loop_after(acceptor->loop, RETRY_MS, end_refusal, acceptor);
        return;
    }
    acceptor->refuses = false;
    watch(acceptor);
}

void acceptor_refuse(struct acceptor *acceptor, int64_t ms)
{
    int64_t until_us = clock_monotonic_us() + ms * 1000;
    if (acceptor->refuses && until_us <= acceptor->refuses_until_us)
        return;
    acceptor->refuses_until_us = until_us;
    if (!acceptor->refuses) {
        while (acceptor_take_waiting(acceptor)) {
        }
        stop_listening(acceptor);
    }
    loop_timer_stop(acceptor->timer);
    acceptor->timer = loop_after(acceptor->loop, ms, end_refusal, acceptor);
}

void acceptor_listen(struct acceptor *acceptor)
{
    if (!acceptor->refuses)
        return;
    loop_timer_stop(acceptor->timer);
    end_refusal(acceptor);
}

/* --- beginning and end ------------------------------------------------------------------------ */

void acceptor_start(struct acceptor *acceptor, int fd)
{
    acceptor->fd = fd;
    watch(acceptor);
}

void acceptor_stop(struct acceptor *acceptor)
{
    unwatch(acceptor);
    acceptor->refuses = true; /* whoever leaves now makes no room */
    if (acceptor->fd >= 0)
        close(acceptor->fd);
    acceptor->fd = -1;
}
