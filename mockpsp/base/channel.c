#include "channel.h"

#include "buf.h"
#include "check.h"
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
    int depth; /* of callbacks running: closing waits for the outermost to return */
    bool closed;
};

/* Takes the next whole line out of the input. ERR_END: there is none yet. */
static enum err take_message(struct channel *channel, struct json **message)
{
    const char *end = memchr(buf_string(&channel->input), '\n', channel->input.len);
    if (end == NULL)
        return channel->input.len > LONGEST_MESSAGE ? ERR_LIMIT : ERR_END;
    size_t length = (size_t)(end - channel->input.data);
    enum err err = json_parse(channel->input.data, length, message, NULL);
    buf_consume(&channel->input, length + 1);
    return err;
}

/* Hands out every whole line. ERR_END: the input is used up, more may come. */
static enum err deliver(struct channel *channel)
{
    struct json *message;
    enum err err = ERR_OK;
    while (!channel->closed && (err = take_message(channel, &message)) == ERR_OK) {
        channel->on_message(channel->context, message);
        json_free(message);
    }
    return err;
}

static void release(struct channel *channel)
{
    buf_release(&channel->input);
    free(channel);
}

static void take_input(struct channel *channel)
{
    char chunk[65536];
    ssize_t length = recv(channel->fd, chunk, sizeof chunk, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (length > 0) {
        buf_add(&channel->input, chunk, (size_t)length);
        if (deliver(channel) == ERR_END)
            return;
    }
    if (channel->closed || channel->watch == NULL)
        return;
    loop_watch_stop(channel->watch);
    channel->watch = NULL;
    channel->on_message(channel->context, NULL);
}

static void readable(void *context, int events)
{
    struct channel *channel = context;
    (void)events;
    channel->depth++;
    take_input(channel);
    if (--channel->depth == 0 && channel->closed)
        release(channel);
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

int channel_release(struct channel *channel)
{
    int fd = channel->fd;
    CHECK(channel->depth == 0 && channel->input.len == 0);
    loop_watch_stop(channel->watch);
    release(channel);
    return fd;
}

void channel_close(struct channel *channel)
{
    if (channel == NULL)
        return;
    loop_watch_stop(channel->watch);
    channel->watch = NULL;
    close(channel->fd);
    channel->closed = true;
    if (channel->depth == 0)
        release(channel);
}
