/* JSON messages, one per line, both ways over a stream socket.
 *
 * This is how a provider and the harness talk: the provider asks at every failpoint and reports
 * every event, the harness answers. Order is kept, nothing is lost while both live. */
#ifndef CHANNEL_H
#define CHANNEL_H

#include "err.h"
#include "json.h"
#include "loop.h"

struct channel;

/* MESSAGE is borrowed for the call; NULL means that the other side has gone (or sent what is no
 * message) and that nothing more will come. The callback may close the channel. */
typedef void channel_message(void *context, const struct json *message);

/* Takes over FD, one end of a connected stream socket. */
struct channel *channel_open(struct loop *loop, int fd, channel_message *on_message, void *context);

/* Sends MESSAGE and frees it. Waits while the other side reads slowly. ERR_IO when it has gone. */
enum err channel_send(struct channel *channel, struct json *message);

/* Gives FD back, for another loop; CHANNEL is gone. Not in its callback, and only when the other
 * side has nothing more to say. */
int channel_release(struct channel *channel);

/* Closes the descriptor as well. NULL is fine. */
void channel_close(struct channel *channel);

#endif
