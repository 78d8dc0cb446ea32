/* The way in: who is taken, who waits, and who is refused. */
#include "acceptor.h"
#include "listen.h"
#include "scratch.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#define MOST_TAKEN 100

/* A listening socket, and what was taken from it. */
struct reception {
    struct loop *loop;
    struct acceptor acceptor;
    int port;
    char path[300];
    int taken[MOST_TAKEN];
    int count;
    int family;
    bool late; /* time is up */
};

static void take(void *context, int fd, const struct sockaddr *from, socklen_t length)
{
    struct reception *r = context;
    cr_assert(length >= sizeof from->sa_family && r->count < MOST_TAKEN);
    r->family = from->sa_family;
    r->taken[r->count++] = fd;
    acceptor_joined(&r->acceptor);
}

static void begin(struct reception *r, unsigned most, int fd)
{
    r->loop = loop_new();
    r->acceptor = (struct acceptor){.loop = r->loop,
                                    .path = r->path[0] == '\0' ? NULL : r->path,
                                    .take = take,
                                    .context = r,
                                    .most = most};
    acceptor_start(&r->acceptor, fd);
}

static void open_port(struct reception *r, unsigned most)
{
    struct err_text why;
    int fd;
    memset(r, 0, sizeof *r);
    cr_assert_eq(listen_open("127.0.0.1", 0, &fd, &r->port, &why), ERR_OK, "%s", why.text);
    begin(r, most, fd);
}

static void end(struct reception *r)
{
    acceptor_stop(&r->acceptor);
    loop_free(r->loop);
    for (int i = 0; i < r->count; i++)
        close(r->taken[i]);
}

/* The descriptor of a client, or -1 when it was refused; nothing else may happen to it. */
static int knock(const struct reception *r)
{
    struct sockaddr_in port = {.sin_family = AF_INET, .sin_port = htons((uint16_t)r->port)};
    struct sockaddr_un file = {.sun_family = AF_UNIX};
    bool is_file = r->path[0] != '\0';
    int fd = socket(is_file ? AF_UNIX : AF_INET, SOCK_STREAM, 0);
    port.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    cr_assert_lt(strlen(r->path), sizeof file.sun_path);
    memcpy(file.sun_path, r->path, strlen(r->path));
    if (connect(fd, is_file ? (void *)&file : (void *)&port, is_file ? sizeof file : sizeof port) ==
        0)
        return fd;
    cr_assert_eq(errno, ECONNREFUSED);
    close(fd);
    return -1;
}

/* Turns the loop until COUNT have been taken in all. */
static void turn_until_taken(struct reception *r, int count)
{
    while (r->count < count)
        loop_turn(r->loop);
    cr_assert_eq(r->count, count);
}

Test(acceptor, takes_whoever_comes)
{
    struct reception r;
    int clients[3];
    open_port(&r, 10);
    for (int i = 0; i < 3; i++)
        clients[i] = knock(&r);
    turn_until_taken(&r, 3);
    cr_assert_eq(r.family, AF_INET);
    cr_assert_eq(send(clients[1], "x", 1, 0), 1);
    char byte;
    cr_assert_eq(recv(r.taken[1], &byte, 1, 0), 1); /* in the order in which they came */
    for (int i = 0; i < 3; i++)
        close(clients[i]);
    end(&r);
}

Test(acceptor, who_is_too_many_waits_until_one_has_left)
{
    struct reception r;
    open_port(&r, 2);
    int clients[] = {knock(&r), knock(&r), knock(&r)};
    turn_until_taken(&r, 2);
    cr_assert(!acceptor_take_waiting(&r.acceptor));
    cr_assert_eq(r.count, 2);
    acceptor_left(&r.acceptor);
    turn_until_taken(&r, 3);
    for (int i = 0; i < 3; i++)
        close(clients[i]);
    end(&r);
}

static void let_descriptors(rlim_t most)
{
    struct rlimit limit;
    cr_assert_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = most;
    cr_assert_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
}

static void note_time(void *context)
{
    struct reception *r = context;
    r->late = true;
}

/* Neither is the listener lost, nor does the loop spin: what turns in the meantime is a timer. */
Test(acceptor, without_descriptors_it_tries_again_later)
{
    struct reception r;
    int turns = 0;
    open_port(&r, 10);
    int client = knock(&r);
    let_descriptors((rlim_t)client + 1); /* the lowest free number is the client's plus one */
    loop_after(r.loop, 350, note_time, &r);
    while (!r.late) {
        loop_turn(r.loop);
        turns++;
    }
    cr_assert_eq(r.count, 0);
    cr_assert_lt(turns, 20);
    let_descriptors(100);
    turn_until_taken(&r, 1);
    close(client);
    end(&r);
}

Test(acceptor, without_descriptors_one_that_is_given_back_is_used_at_once)
{
    struct reception r;
    open_port(&r, 10);
    int first = knock(&r);
    turn_until_taken(&r, 1);
    int second = knock(&r);
    let_descriptors((rlim_t)second + 1);
    acceptor_take_waiting(&r.acceptor);
    cr_assert_null(r.acceptor.watch);
    close(r.taken[0]);
    acceptor_left(&r.acceptor);
    cr_assert_not_null(r.acceptor.watch);
    r.taken[0] = -1;
    turn_until_taken(&r, 2);
    close(first);
    close(second);
    end(&r);
}

/* What happens while nothing listens, and afterwards; the address is the same. */
static void refuses_for_a_while(struct reception *r)
{
    int before = knock(r);
    turn_until_taken(r, 1);
    int waiting = knock(r);
    acceptor_refuse(&r->acceptor, 40);
    cr_assert_eq(r->count, 2); /* who was there before is taken first */
    cr_assert_eq(knock(r), -1);
    acceptor_refuse(&r->acceptor, 1); /* changes nothing: the other lasts longer */
    cr_assert_eq(knock(r), -1);
    cr_assert_eq(send(before, "x", 1, 0), 1); /* what was open goes on */
    char byte;
    cr_assert_eq(recv(r->taken[0], &byte, 1, 0), 1);
    while (r->acceptor.refuses)
        loop_turn(r->loop);
    acceptor_refuse(&r->acceptor, 3600000);
    cr_assert_eq(knock(r), -1);
    acceptor_listen(&r->acceptor);
    acceptor_listen(&r->acceptor); /* it does already */
    int after = knock(r);
    turn_until_taken(r, 3);
    close(before);
    close(waiting);
    close(after);
}

Test(acceptor, a_port_refuses_for_a_while)
{
    struct reception r;
    open_port(&r, 10);
    refuses_for_a_while(&r);
    end(&r);
}

Test(acceptor, a_unix_socket_refuses_for_a_while)
{
    struct reception r = {0};
    struct err_text why;
    int fd;
    struct scratch scratch = scratch_new();
    snprintf(r.path, sizeof r.path, "%s", scratch_file(&scratch, "psp.sock").path);
    cr_assert_eq(listen_open_unix(r.path, &fd, &why), ERR_OK, "%s", why.text);
    begin(&r, 10, fd);
    refuses_for_a_while(&r);
    end(&r);
    scratch_remove(&scratch);
}

Test(acceptor, it_can_be_stopped_while_it_refuses)
{
    struct reception r;
    open_port(&r, 10);
    acceptor_refuse(&r.acceptor, 60000);
    end(&r);
    cr_assert_eq(knock(&r), -1);
}

Test(acceptor, who_leaves_during_a_refusal_does_not_end_it)
{
    struct reception r;
    open_port(&r, 10);
    int client = knock(&r);
    turn_until_taken(&r, 1);
    acceptor_refuse(&r.acceptor, 60000);
    acceptor_left(&r.acceptor);
    cr_assert_null(r.acceptor.watch);
    cr_assert_eq(knock(&r), -1);
    close(client);
    end(&r);
}
