#include "keeper.h"

#include "buf.h"
#include "census.h"
#include "keeper_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MOST_RESTING 4 /* a client, a second one beside it, and their helpers */

#define HEARING_MS 500 /* then it may have been stopped */

static struct {
    bool wanted;
    size_t count;
    struct keeper keepers[MOST_RESTING];
} resting;

/* --- those that wait ------------------------------------------------------------------------- */

void keeper_reuse(void)
{
    resting.wanted = true;
}

void keeper_reuse_end(void)
{
    resting.wanted = false;
    while (resting.count > 0)
        keeper_end(&resting.keepers[--resting.count]);
}

void keeper_rest(struct keeper *keeper)
{
    if (resting.wanted && resting.count < MOST_RESTING)
        resting.keepers[resting.count++] = *keeper;
    else
        keeper_end(keeper);
}

/* --- a new one ------------------------------------------------------------------------------- */

static enum err make(struct keeper *keeper, struct err_text *why)
{
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return err_say(why, ERR_IO, "could not be given a pipe: %s", strerror(errno));
    pid_t parent = getpid();
    fflush(NULL); /* or the child might print what we have not printed yet */
    pid_t pid = fork();
    if (pid == 0)
        keeper_process_run(pair[1], parent);
    int error = errno;
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return err_say(why, ERR_IO, "could not be given a process: %s", strerror(error));
    }
    census_spare(pid); /* it is nobody's stray */
    *keeper = (struct keeper){pid, pair[0]};
    return ERR_OK;
}

/* One that a client has killed since it said that it was alone is none any more. */
static bool is_there(struct keeper *keeper)
{
    siginfo_t ended = {0};
    return waitid(P_PID, (id_t)keeper->pid, &ended, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           ended.si_pid == 0;
}

enum err keeper_take(struct keeper *keeper, struct err_text *why)
{
    while (resting.count > 0) {
        *keeper = resting.keepers[--resting.count];
        if (is_there(keeper))
            return ERR_OK;
        keeper_end(keeper);
    }
    return make(keeper, why);
}

/* --- a job ----------------------------------------------------------------------------------- */

static uint32_t add_list(struct buf *text, char *const *list)
{
    uint32_t count = 0;
    for (; list[count] != NULL; count++)
        buf_add(text, list[count], strlen(list[count]) + 1);
    return count;
}

static bool send_all(int fd, const char *from, size_t size)
{
    while (size > 0) {
        ssize_t length = send(fd, from, size, MSG_NOSIGNAL);
        if (length < 0 && errno != EINTR)
            return false;
        from += length > 0 ? length : 0;
        size -= length > 0 ? (size_t)length : 0;
    }
    return true;
}

static bool send_job(int control, const struct keeper_job *job, int news)
{
    struct buf text = {0};
    struct keeper_order order = {0};
    int descriptors[KEEPER_DESCRIPTORS] = {job->descriptors[0], job->descriptors[1],
                                           job->descriptors[2], news};
    union {
        char bytes[CMSG_SPACE(sizeof descriptors)];
        struct cmsghdr align;
    } ancillary = {{0}};
    struct iovec part = {&order, sizeof order};
    struct msghdr message = {.msg_iov = &part,
                             .msg_iovlen = 1,
                             .msg_control = ancillary.bytes,
                             .msg_controllen = sizeof ancillary.bytes};
    const char *directory = job->directory == NULL ? "" : job->directory;
    buf_add(&text, directory, strlen(directory) + 1);
    order.words = add_list(&text, job->argv);
    order.variables = add_list(&text, job->environment);
    order.bytes = (uint32_t)text.len;
    struct cmsghdr *head = CMSG_FIRSTHDR(&message);
    head->cmsg_level = SOL_SOCKET;
    head->cmsg_type = SCM_RIGHTS;
    head->cmsg_len = CMSG_LEN(sizeof descriptors);
    memcpy(CMSG_DATA(head), descriptors, sizeof descriptors);
    bool sent = sendmsg(control, &message, MSG_NOSIGNAL) == (ssize_t)sizeof order &&
                send_all(control, text.data, text.len);
    buf_release(&text);
    return sent;
}

static bool has_word(int news)
{
    struct pollfd ready = {.fd = news, .events = POLLIN};
    return poll(&ready, 1, HEARING_MS) != 0;
}

static bool read_word(int news, struct keeper_word *word)
{
    ssize_t length;
    do {
        length = read(news, word, sizeof *word);
    } while (length < 0 && errno == EINTR);
    return length == (ssize_t)sizeof *word;
}

static bool is_stopped(const struct keeper *keeper)
{
    struct census_entry entry = {.pid = keeper->pid};
    return census_look(&entry) && entry.state == 'T';
}

/* A client that has stopped or killed its keeper with its first breath has started all the same. */
static bool hear_of_start(const struct keeper *keeper, int news, struct keeper_word *first)
{
    struct keeper_word second;
    while (!has_word(news))
        kill(keeper->pid, SIGCONT); /* the last client may have stopped it */
    if (!read_word(news, first))
        return false;
    if (first->news != KEEPER_STARTED)
        return true;
    while (!has_word(news))
        if (is_stopped(keeper))
            return true;
    if (read_word(news, &second) && second.news == KEEPER_FAILED)
        *first = second;
    return true;
}

enum err keeper_start(const struct keeper *keeper, const struct keeper_job *job,
                      struct keeper_word *first, int *news, struct err_text *why)
{
    int pipe_ends[2];
    *news = -1;
    if (pipe2(pipe_ends, O_CLOEXEC) != 0)
        return err_say(why, ERR_IO, "could not be given a pipe: %s", strerror(errno));
    bool sent = send_job(keeper->control, job, pipe_ends[1]);
    close(pipe_ends[1]);
    if (!sent || !hear_of_start(keeper, pipe_ends[0], first)) {
        close(pipe_ends[0]);
        return err_say(why, ERR_IO, "could not be given a process: its keeper died");
    }
    *news = pipe_ends[0];
    return ERR_OK;
}

/* --- its end --------------------------------------------------------------------------------- */

bool keeper_end(struct keeper *keeper)
{
    int status = 0;
    pid_t got;
    close(keeper->control);     /* when it waits for a job */
    kill(keeper->pid, SIGTERM); /* when it has a client */
    kill(keeper->pid, SIGCONT); /* which may have stopped it */
    do {
        got = waitpid(keeper->pid, &status, 0);
    } while (got < 0 && errno == EINTR);
    census_forget(keeper->pid);
    return got == keeper->pid && WIFEXITED(status);
}
