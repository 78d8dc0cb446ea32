/* How an exchange ends on the wire: whole, broken off, piece by piece, or not at all. */
#include "check.h"
#include "http_call.h"

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

static void piece_due(void *context)
{
    struct call *call = context;
    call->timer = NULL;
    call->piece_due = true;
    http_call_wake(call);
}

/* Hands out the body of a broken answer; MAX bytes fit, POSITION have left. */
static ssize_t read_broken(void *context, uint64_t position, char *out, size_t max)
{
    struct call *call = context;
    const struct action *broken = &call->x->broken;
    const char *body = call->x->reply.body;
    size_t length = strlen(body);
    size_t stop = length;
    if (broken->kind == ACTION_TRUNCATE)
        stop = length == 0 || (size_t)broken->bytes < length ? (size_t)broken->bytes : length - 1;
    if (position >= stop)
        return MHD_CONTENT_READER_END_WITH_ERROR;
    if (broken->kind == ACTION_DRIBBLE && !call->piece_due) {
        call->timer = loop_after(call->server->core->loop, broken->ms, piece_due, call);
        http_call_suspend(call);
        return 0;
    }
    call->piece_due = false;
    size_t size = stop - position < max ? stop - (size_t)position : max;
    if (broken->kind == ACTION_DRIBBLE && size > (size_t)broken->bytes)
        size = (size_t)broken->bytes;
    memcpy(out, body + position, size);
    return (ssize_t)size;
}

/* The length that is promised is the whole body's. */
static enum MHD_Result send_broken(struct call *call)
{
    const struct reply *reply = &call->x->reply;
    call->piece_due = true;
    return send_response(
        call, reply,
        MHD_create_response_from_callback(strlen(reply->body), 4096, read_broken, call, NULL));
}

/* A start that some clients take for a TLS record, and none for a status line. */
static void send_garbage(struct call *call)
{
    static const char ours[] = "\x16\x03\x01 this is no HTTP \x80\xff\r\n\r\n";
    const char *body = call->x->broken.body;
    size_t length = body == NULL ? sizeof ours - 1 : strlen(body);
    ssize_t sent = send(http_call_line(call)->fd, body == NULL ? ours : body, length, MSG_NOSIGNAL);
    (void)sent; /* the client may have gone by itself */
}

/* Dissolving the association sends a RST at once; SO_LINGER would not, because the library shuts
 * its writing side first, which sends a FIN. */
static void send_reset(struct call *call)
{
    struct sockaddr nobody = {.sa_family = AF_UNSPEC};
    int result = connect(http_call_line(call)->fd, &nobody, sizeof nobody);
    (void)result; /* the client may have gone by itself */
}

/* Comes by twice: when the hanging starts, and when the client has gone. */
static enum MHD_Result hang(struct call *call)
{
    struct line *line = http_call_line(call);
    if (line->watch == NULL)
        return MHD_NO;
    line->hanging = call;
    http_call_suspend(call);
    return MHD_YES;
}

enum MHD_Result ending_carry_out(struct call *call)
{
    switch (call->x->ending) {
    case ENDING_ANSWER:
        return ending_send_reply(call, &call->x->reply);
    case ENDING_RESET:
        send_reset(call);
        return MHD_NO;
    case ENDING_TRUNCATE:
    case ENDING_DRIBBLE:
        return send_broken(call);
    case ENDING_GARBAGE:
        send_garbage(call);
        return MHD_NO;
    case ENDING_HANG:
        return hang(call);
    case ENDING_CLOSE:
        break;
    }
    return MHD_NO;
}
