#include "buf.h"
#include "channel.h"
#include "mem.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* One end under test, the other a bare socket. What came in is written down as text. */
struct side {
    struct loop *loop;
    struct channel *channel;
    int peer;
    struct buf heard;
    bool close_on_message;
    bool close_on_gone;
};

static void on_message(void *context, const struct json *message)
{
    struct side *side = context;
    if (message == NULL) {
        buf_add_string(&side->heard, "gone");
        loop_stop(side->loop);
        if (side->close_on_gone) {
            channel_close(side->channel);
            side->channel = NULL;
        }
        return;
    }
    char *text = json_print(message);
    buf_addf(&side->heard, "%s ", text);
    free(text);
    if (side->close_on_message) {
        channel_close(side->channel);
        side->channel = NULL;
        loop_stop(side->loop);
    }
}

static void open_side(struct side *side)
{
    int pair[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    side->loop = loop_new();
    side->peer = pair[1];
    side->channel = channel_open(side->loop, pair[0], on_message, side);
}

static void release_side(struct side *side)
{
    channel_close(side->channel);
    close(side->peer);
    loop_free(side->loop);
    buf_release(&side->heard);
}

static void peer_says(struct side *side, const char *text)
{
    cr_assert_eq(write(side->peer, text, strlen(text)), (ssize_t)strlen(text));
}

static void peer_ends(struct side *side)
{
    cr_assert_eq(shutdown(side->peer, SHUT_WR), 0);
}

Test(channel, hands_out_whole_lines_in_order)
{
    struct side side = {0};
    open_side(&side);
    peer_says(&side, "{\"n\":1}\n{\"n\":2}\n{\"n\":");
    loop_turn(side.loop);
    cr_assert_str_eq(buf_string(&side.heard), "{\"n\":1} {\"n\":2} ");
    peer_says(&side, "3}\n");
    peer_ends(&side);
    loop_run(side.loop);
    cr_assert_str_eq(buf_string(&side.heard), "{\"n\":1} {\"n\":2} {\"n\":3} gone");
    release_side(&side);
}

Test(channel, a_half_line_at_the_end_is_no_message)
{
    struct side side = {0};
    open_side(&side);
    peer_says(&side, "{\"n\":1}");
    peer_ends(&side);
    loop_run(side.loop);
    cr_assert_str_eq(buf_string(&side.heard), "gone");
    release_side(&side);
}

Test(channel, junk_ends_it)
{
    struct side side = {.close_on_gone = true};
    open_side(&side);
    peer_says(&side, "{\"n\":1}\nGET / HTTP/1.1\n{\"n\":2}\n");
    loop_run(side.loop);
    cr_assert_str_eq(buf_string(&side.heard), "{\"n\":1} gone");
    release_side(&side);
}

Test(channel, may_be_closed_from_its_callback)
{
    struct side side = {.close_on_message = true};
    open_side(&side);
    peer_says(&side, "{\"n\":1}\n{\"n\":2}\n");
    loop_run(side.loop);
    cr_assert_str_eq(buf_string(&side.heard), "{\"n\":1} ", "nothing comes after closing");
    release_side(&side);
}

/* A handler that runs the loop itself (the harness waits for an event from within one): the inner
 * turn delivers the next message and closes the channel under the outer one. */
static void nested(void *context, const struct json *message)
{
    struct side *side = context;
    int64_t n = json_get_int(message, "n", 0);
    buf_addf(&side->heard, "(%d", (int)n);
    if (n == 1) {
        peer_says(side, "{\"n\":2}\n");
        while (side->channel != NULL)
            loop_turn(side->loop);
    } else {
        channel_close(side->channel);
        side->channel = NULL;
    }
    buf_add_string(&side->heard, ")");
}

Test(channel, may_be_closed_from_a_nested_turn)
{
    struct side side = {0};
    int pair[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    side.loop = loop_new();
    side.peer = pair[1];
    side.channel = channel_open(side.loop, pair[0], nested, &side);
    peer_says(&side, "{\"n\":1}\n");
    loop_turn(side.loop);
    cr_assert_str_eq(buf_string(&side.heard), "(1(2))");
    release_side(&side);
}

Test(channel, sends_one_line_per_message)
{
    struct side side = {0};
    open_side(&side);
    struct json *message = json_object();
    json_set_string(message, "text", "two\nlines");
    cr_assert_eq(channel_send(side.channel, message), ERR_OK);
    char line[64] = "";
    cr_assert_eq(read(side.peer, line, sizeof line - 1), (ssize_t)strlen(line));
    cr_assert_str_eq(line, "{\"text\":\"two\\nlines\"}\n");
    release_side(&side);
}

#define LONG_TEXT ((size_t)4 << 20)

static void *drain(void *context)
{
    struct side *side = context;
    size_t *total = mem_alloc(sizeof *total);
    char chunk[65536];
    ssize_t length;
    while ((length = read(side->peer, chunk, sizeof chunk)) > 0) {
        *total += (size_t)length;
        if (chunk[length - 1] == '\n')
            break;
    }
    return total;
}

Test(channel, waits_for_a_slow_reader_instead_of_losing_bytes)
{
    struct side side = {0};
    open_side(&side);
    char *text = mem_alloc(LONG_TEXT + 1);
    memset(text, 'x', LONG_TEXT);
    struct json *message = json_string(text);
    free(text);
    pthread_t reader;
    cr_assert_eq(pthread_create(&reader, NULL, drain, &side), 0);
    cr_assert_eq(channel_send(side.channel, message), ERR_OK);
    void *total;
    cr_assert_eq(pthread_join(reader, &total), 0);
    cr_assert_eq(*(size_t *)total, LONG_TEXT + 3, "two quotes and the end of the line");
    free(total);
    release_side(&side);
}

Test(channel, says_so_when_the_other_side_has_gone)
{
    struct side side = {0};
    open_side(&side);
    cr_assert_eq(shutdown(side.peer, SHUT_RDWR), 0);
    cr_assert_eq(channel_send(side.channel, json_object()), ERR_IO, "and no SIGPIPE");
    loop_run(side.loop);
    cr_assert_str_eq(buf_string(&side.heard), "gone");
    release_side(&side);
    channel_close(NULL);
}
