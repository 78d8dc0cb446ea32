/* How an exchange ends on the wire: whole, broken off, piece by piece, or not at all. */
#include "check.h"
#include "http_call.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>

static enum MHD_Result send_response(struct call *call, const struct reply *reply,
                                     struct MHD_Response *response)
{
    CHECK(response != NULL);
    for (const struct json *header = json_first(reply->headers); header != NULL;
         header = json_next(header))
        MHD_add_response_header(response, json_name(header), json_as_string(header));
    enum MHD_Result result =
        MHD_queue_response(call->connection, (unsigned)reply->status, response);
    MHD_destroy_response(response);
    return result;
}

enum MHD_Result ending_send_reply(struct call *call, const struct reply *reply)
{
    return send_response(
        call, reply,
        MHD_create_response_from_buffer(strlen(reply->body), reply->body, MHD_RESPMEM_MUST_COPY));
}

/* Dissolving the association sends a RST at once; SO_LINGER would not, because the library shuts
 * its writing side first, which sends a FIN. */
static void send_reset(struct call *call)
{
    struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    int result = connect(http_call_line(call)->fd, &nobody, sizeof nobody);
    (void)result; /* the client may have gone by itself */
}

/* Waits for the client to go, if it has not gone yet; whether it has to. */
static bool wait_for_client(struct call *call)
{
    struct line *line = http_call_line(call);
    if (line->watch == NULL)
        return false;
    line->hanging = call;
    http_call_suspend(call);
    return true;
}

/* Comes by twice: when the hanging starts, and when the client has gone. */
static enum MHD_Result hang(struct call *call)
{
    return wait_for_client(call) ? MHD_YES : MHD_NO;
}

/* --- an answer in a shape of its own ---------------------------------------------------------- */

#define FLUSH_MS 5                  /* a reset throws away what has not left yet */
#define FULL_MS  2                  /* the socket takes no more: until it is tried again */
#define BLOCK    ((size_t)32 << 10) /* the largest piece */

static void piece_due(void *context)
{
    struct call *call = context;
    call->timer = NULL;
    call->piece_due = true;
    http_call_wake(call);
}

void ending_client_gone(struct call *call)
{
    if (call->timer == NULL)
        return;
    loop_timer_stop(call->timer);
    piece_due(call);
}

static ssize_t wait_for_piece(struct call *call, int64_t ms)
{
    call->timer = loop_after(call->server->core->loop, ms, piece_due, call);
    http_call_suspend(call);
    return 0;
}

/* How many bytes leave of a body of LENGTH. Whoever loses the end loses at least a byte. */
static size_t leaving(const struct exchange *x, size_t length)
{
    if (x->ending == ENDING_ANSWER)
        return length;
    bool within = x->shape.stops && (length == 0 || (size_t)x->shape.stop < length);
    return within ? (size_t)x->shape.stop : length - (length > 0);
}

/* All that leaves has left; what comes now may take several calls. */
static ssize_t end_of_shape(struct call *call)
{
    if (call->x->ending == ENDING_HANG && wait_for_client(call))
        return 0;
    if (call->x->ending == ENDING_RESET && !call->flushed) {
        call->flushed = true;
        return wait_for_piece(call, FLUSH_MS);
    }
    if (call->x->ending == ENDING_RESET)
        send_reset(call);
    return MHD_CONTENT_READER_END_WITH_ERROR;
}

/* Comes by again for what the socket did not take at once. */
static enum MHD_Result send_raw(struct call *call)
{
    const struct buf *raw = &call->x->raw;
    ssize_t sent = send(http_call_line(call)->fd, buf_string(raw) + call->raw_sent,
                        raw->len - call->raw_sent, MSG_NOSIGNAL);
    if (sent < 0 && errno != EAGAIN)
        return MHD_NO; /* the client has gone by itself */
    call->raw_sent += sent < 0 ? 0 : (size_t)sent;
    if (call->raw_sent == raw->len)
        return MHD_NO;
    wait_for_piece(call, FULL_MS);
    return MHD_YES;
}

/* Hands out the body; MAX bytes fit, POSITION have left. */
static ssize_t read_shaped(void *context, uint64_t position, char *out, size_t max)
{
    struct call *call = context;
    const struct shape *shape = &call->x->shape;
    const char *body = call->x->reply.body;
    size_t stop = leaving(call->x, strlen(body));
    if (position >= stop)
        return end_of_shape(call);
    if (http_call_line(call)->watch == NULL) /* gone: the rest is nobody's */
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (shape->piece > 0 && !call->piece_due)
        return wait_for_piece(call, shape->every_ms);
    call->piece_due = false;
    size_t size = stop - position < max ? stop - (size_t)position : max;
    if (shape->piece > 0 && size > (size_t)shape->piece)
        size = (size_t)shape->piece;
    memcpy(out, body + position, size);
    return (ssize_t)size;
}

/* The length that is promised is the whole body's. */
static enum MHD_Result send_shaped(struct call *call)
{
    const struct reply *reply = &call->x->reply;
    call->piece_due = true;
    return send_response(
        call, reply,
        MHD_create_response_from_callback(strlen(reply->body), BLOCK, read_shaped, call, NULL));
}

enum MHD_Result ending_carry_out(struct call *call)
{
    if (exchange_is_shaped(call->x))
        return send_shaped(call);
    switch (call->x->ending) {
    case ENDING_ANSWER:
        return ending_send_reply(call, &call->x->reply);
    case ENDING_RESET:
        send_reset(call);
        return MHD_NO;
    case ENDING_CUT:
        raw_answer_cut_header(call->x);
        call->x->ending = ENDING_RAW;
        return send_raw(call);
    case ENDING_CHUNK:
        raw_answer_broken_chunk(call->x);
        call->x->ending = ENDING_RAW;
        return send_raw(call);
    case ENDING_RAW:
        return send_raw(call);
    case ENDING_HANG:
        return hang(call);
    case ENDING_CLOSE:
        break;
    }
    return MHD_NO;
}
