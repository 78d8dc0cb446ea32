#include "loop.h"
#include "mem.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* What happened, one letter each, in order. */
struct tale {
    struct loop *loop;
    char text[32];
    struct loop_timer *timer;
    struct loop_watch *watch;
    int events;
    int fd;
};

static void tell(struct tale *tale, char letter)
{
    size_t length = strlen(tale->text);
    cr_assert_lt(length + 1, sizeof tale->text);
    tale->text[length] = letter;
}

static void due_a(void *context)
{
    tell(context, 'a');
}

static void due_b(void *context)
{
    tell(context, 'b');
}

static void due_stop(void *context)
{
    struct tale *tale = context;
    tell(tale, '.');
    loop_stop(tale->loop);
}

Test(loop, timers_come_in_the_order_of_their_times)
{
    struct tale tale = {.loop = loop_new()};
    loop_after(tale.loop, 30, due_stop, &tale);
    loop_after(tale.loop, 20, due_b, &tale);
    loop_after(tale.loop, 0, due_a, &tale);
    loop_after(tale.loop, -5, due_a, &tale);
    loop_run(tale.loop);
    cr_assert_str_eq(tale.text, "aab.");
    loop_free(tale.loop);
}

Test(loop, a_stopped_timer_never_comes)
{
    struct tale tale = {.loop = loop_new()};
    struct loop_timer *timer = loop_after(tale.loop, 1, due_a, &tale);
    loop_after(tale.loop, 10, due_stop, &tale);
    loop_timer_stop(timer);
    loop_timer_stop(NULL);
    loop_run(tale.loop);
    cr_assert_str_eq(tale.text, ".");
    loop_free(tale.loop);
}

static void due_stops_the_other(void *context)
{
    struct tale *tale = context;
    tell(tale, 'x');
    loop_timer_stop(tale->timer);
    loop_after(tale->loop, 10, due_stop, tale);
}

Test(loop, a_timer_may_stop_another_one_that_is_due_as_well)
{
    struct tale tale = {.loop = loop_new()};
    loop_after(tale.loop, 0, due_stops_the_other, &tale);
    tale.timer = loop_after(tale.loop, 0, due_b, &tale);
    loop_run(tale.loop);
    cr_assert_str_eq(tale.text, "x.");
    loop_free(tale.loop);
}

static void readable(void *context, int events)
{
    struct tale *tale = context;
    char byte;
    tale->events |= events;
    if (read(tale->fd, &byte, 1) == 1)
        tell(tale, byte);
    else if (events & LOOP_GONE) {
        tell(tale, 'g');
        loop_watch_stop(tale->watch);
        loop_stop(tale->loop);
    }
}

Test(loop, a_watch_sees_bytes_and_the_end)
{
    struct tale tale = {.loop = loop_new()};
    int pair[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    tale.fd = pair[0];
    tale.watch = loop_watch(tale.loop, pair[0], LOOP_READABLE | LOOP_GONE, readable, &tale);
    cr_assert_eq(write(pair[1], "12", 2), 2);
    close(pair[1]);
    loop_run(tale.loop);
    cr_assert_str_eq(tale.text, "12g");
    cr_assert(tale.events & LOOP_READABLE);
    loop_free(tale.loop);
    cr_assert_eq(close(pair[0]), 0, "descriptors belong to whoever made them");
}

static void writable(void *context, int events)
{
    struct tale *tale = context;
    tell(tale, events == LOOP_WRITABLE ? 'w' : '?');
    loop_watch_stop(tale->watch);
    loop_stop(tale->loop);
}

Test(loop, a_descriptor_can_be_watched_again_at_once)
{
    struct tale tale = {.loop = loop_new()};
    int pair[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
    tale.fd = pair[0];
    loop_watch_stop(loop_watch(tale.loop, pair[0], LOOP_READABLE, readable, &tale));
    loop_watch_stop(NULL);
    tale.watch = loop_watch(tale.loop, pair[0], LOOP_WRITABLE, writable, &tale);
    loop_run(tale.loop);
    cr_assert_str_eq(tale.text, "w");
    loop_free(tale.loop);
    close(pair[0]);
    close(pair[1]);
}

Test(loop, a_turn_handles_what_is_there_and_returns)
{
    struct tale tale = {.loop = loop_new()};
    loop_after(tale.loop, 0, due_a, &tale);
    loop_after(tale.loop, 3600000, due_b, &tale);
    while (tale.text[0] == '\0')
        loop_turn(tale.loop);
    cr_assert_str_eq(tale.text, "a");
    loop_free(tale.loop);
}

/* Whoever stops a loop from outside (a callback of a library, say) may free it right away. */
Test(loop, may_be_freed_when_stopped_while_it_does_not_run)
{
    struct tale tale = {.loop = loop_new()};
    loop_after(tale.loop, 3600000, due_a, &tale);
    loop_stop(tale.loop);
    loop_free(tale.loop);
    loop_free(NULL);
    cr_assert_str_eq(tale.text, "");
}

static void signalled(void *context, int signal)
{
    struct tale *tale = context;
    tell(tale, (char)(signal == SIGTERM ? 'T' : 'I'));
    if (strlen(tale->text) == 2)
        loop_stop(tale->loop);
}

Test(loop, takes_over_the_signals_that_end_a_program)
{
    struct tale tale = {.loop = loop_new()};
    loop_on_signal(tale.loop, signalled, &tale);
    raise(SIGTERM);
    while (tale.text[0] == '\0')
        loop_turn(tale.loop);
    raise(SIGINT);
    loop_run(tale.loop);
    cr_assert_str_eq(tale.text, "TI");
    loop_free(tale.loop);
}

/* --- folders ---------------------------------------------------------------------------------- */

static void named(void *context, const char *name)
{
    struct tale *tale = context;
    if (strchr(tale->text, 'c') == NULL && name != NULL && strcmp(name, "new") == 0) {
        tell(tale, 'c');
        loop_stop(tale->loop);
    }
}

Test(loop, a_change_in_a_folder_is_told_with_its_name)
{
    struct tale tale = {.loop = loop_new()};
    char folder[] = "/tmp/loop.XXXXXX";
    cr_assert_not_null(mkdtemp(folder));
    struct loop_folder *watch = loop_watch_folder(tale.loop, folder, named, &tale);
    cr_assert_not_null(watch);
    char *name = mem_printf("%s/new", folder);
    FILE *file = fopen(name, "w");
    cr_assert_not_null(file);
    fclose(file);
    loop_run(tale.loop);
    cr_assert_str_eq(tale.text, "c");
    loop_folder_stop(watch);
    cr_assert_eq(unlink(name), 0);
    loop_after(tale.loop, 20, due_stop, &tale);
    loop_run(tale.loop);
    cr_assert_str_eq(tale.text, "c.");
    loop_free(tale.loop);
    rmdir(folder);
    free(name);
}

Test(loop, a_folder_that_is_not_there_cannot_be_watched)
{
    struct loop *loop = loop_new();
    cr_assert_null(loop_watch_folder(loop, "/no/such/folder", named, NULL));
    loop_folder_stop(NULL);
    loop_free(loop);
}

Test(loop, a_watched_folder_ends_with_its_loop)
{
    struct loop *loop = loop_new();
    cr_assert_not_null(loop_watch_folder(loop, "/tmp", named, NULL));
    loop_free(loop);
}
