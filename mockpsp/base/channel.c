#include "channel.h"

#include "buf.h"
#include "mem.h"

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LONGEST_MESSAGE ((size_t)16 << 20)

struct channel {
    int fd;
    struct loop_watch *watch;
    struct buf input;
    channel_message *on_message;
    void *context;
    bool delivering; /* a callback runs */
    bool closed;     /* by that callback: freed when it returns */
};

/* Hands out the line that ends at END. False when it is no message. */
static bool deliver_line(struct channel *channel, const char *end)
{
    size_t length = (size_t)(end - channel->input.data);
    struct json *message;
    if (json_parse(channel->input.data, length, &message, NULL) != ERR_OK)
        return false;
    buf_consume(&channel->input, length + 1);
    channel->on_message(channel->context, message);
    json_free(message);
    return true;
}

/* Hands out every whole line. False when the peer sent junk; true also when the callback closed the
 * channel, which must not be touched then. A callback may run the loop, so deliveries nest: whoever
 * sees the channel closed passes the news on to the delivery outside it. */
static bool deliver(struct channel *channel)
{
    bool closed = false;
    bool fine = true;
    bool *outer = channel->closed;
    const char *end;
    channel->closed = &closed;
    while (!closed && fine &&
           (end = memchr(buf_string(&channel->input), '\n', channel->input.len)) != NULL)
        fine = deliver_line(channel, end);
    if (closed) {
        if (outer != NULL)
            *outer = true;
        return true;
    }
    channel->closed = outer;
    return fine && channel->input.len <= LONGEST_MESSAGE;
}

static void release(struct channel *channel)
{
    buf_release(&channel->input);
    free(channel);
}

static void readable(void *context, int events)
{
    struct channel *channel = context;
    char chunk[65536];
    (void)events;
    ssize_t length = recv(channel->fd, chunk, sizeof chunk, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (length > 0) {
        buf_add(&channel->input, chunk, (size_t)length);
        enum err err = deliver(channel);
        if (channel->closed) {
            release(channel);
            return;
        }
        if (err == ERR_END)
            return;
    }
    if (channel->watch == NULL)
        return; /* a nested turn has already said so */
    loop_watch_stop(channel->watch);
    channel->watch = NULL;
    channel->on_message(channel->context, NULL);
}

struct channel *channel_open(struct loop *loop, int fd, channel_message *on_message, void *context)
{
    struct channel *channel = mem_alloc(sizeof *channel);
    channel->fd = fd;
    channel->on_message = on_message;
    channel->context = context;
    channel->watch = loop_watch(loop, fd, LOOP_READABLE, readable, channel);
    return channel;
}

/* The descriptor is non-blocking (the loop made it so): wait for room instead of dropping. */
static enum err send_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent >= 0) {
            bytes += sent;
            length -= (size_t)sent;
        } else if (errno == EAGAIN) {
            struct pollfd room = {.fd = fd, .events = POLLOUT};
            poll(&room, 1, -1);
        } else if (errno != EINTR) {
            return ERR_IO;
        }
    }
    return ERR_OK;
}

enum err channel_send(struct channel *channel, struct json *message)
{
    char *line = json_print(message);
    size_t length = strlen(line);
    line[length] = '\n'; /* in place of the NUL: send_all goes by length */
    enum err err = send_all(channel->fd, line, length + 1);
    free(line);
    json_free(message);
    return err;
}

void channel_close(struct channel *channel)
{
    if (channel == NULL)
        return;
    loop_watch_stop(channel->watch);
    channel->watch = NULL;
    close(channel->fd);
    channel->closed = true;
    if (!channel->delivering)
        release(channel);
}
