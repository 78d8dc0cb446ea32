#include "psp.h"

#include "blank.h"
#include "census.h"
#include "channel.h"
#include "check.h"
#include "interrupt.h"
#include "log.h"
#include "mem.h"
#include "proc.h"
#include "provider.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct psp {
    struct loop *loop;
    char *db;
    char *log;
    uint64_t seed;
    const struct dialect *dialect;
    struct psp_handlers handlers;
    int reservation; /* bound, never listening: the port is ours, and refuses while nobody serves */
    int port;
    pid_t pid; /* 0 while there is no process */
    struct channel *channel;
    bool up;
    bool killed;
    enum { NOT_DRAINED, DRAINING, DRAINED } drain;
    enum { AT_WORK, TO_REST, RESTING } rest;
    struct loop_timer *rest_timer;
    int64_t processing; /* payments, when it was last drained */
    int64_t webhooks;   /* on their way then */
    uint64_t journal;   /* seq of the last entry that was handed out */
};

/* --- the port -------------------------------------------------------------------------------- */

/* The provider may bind the same address beside the reservation, because neither of the two is an
 * accident: both ask for it. */
static int reserve(int *port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t length = sizeof address;
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0)
        return -1;
    if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
        setsockopt(fd, SOL_SOCKET, SO_REUSEPORT, &on, sizeof on) != 0 ||
        bind(fd, (struct sockaddr *)&address, sizeof address) != 0 ||
        getsockname(fd, (struct sockaddr *)&address, &length) != 0) {
        close(fd);
        return -1;
    }
    *port = ntohs(address.sin_port);
    return fd;
}

void psp_prepare(void)
{
    struct err_text why;
    enum err err = blank_make(&why);
    (void)err; /* psp_open will say so */
}

enum err psp_open(struct psp **psp, struct loop *loop, const struct psp_options *options,
                  struct psp_handlers handlers, struct err_text *why)
{
    int port = 0;
    *psp = NULL;
    enum err err = blank_write(options->db, why);
    if (err != ERR_OK)
        return err;
    int reservation = reserve(&port);
    if (reservation < 0)
        return err_say(why, ERR_IO, "no port for the provider: %s", strerror(errno));
    *psp = mem_alloc(sizeof **psp);
    (*psp)->loop = loop;
    (*psp)->db = mem_strdup(options->db);
    (*psp)->log = mem_strdup(options->log);
    (*psp)->seed = options->seed;
    (*psp)->dialect = options->dialect;
    (*psp)->handlers = handlers;
    (*psp)->reservation = reservation;
    (*psp)->port = port;
    return ERR_OK;
}

/* --- the one that waits for the next world -----------------------------------------------------
 */

#define REST_MS 2000 /* until it is thought to be ill */

static struct {
    bool wanted;
    pid_t pid; /* 0: there is none */
    int fd;    /* the socket to it */
    uint64_t seed;
} spare;

void psp_reuse(void)
{
    spare.wanted = true;
}

void psp_reuse_end(void)
{
    if (spare.pid == 0)
        return;
    close(spare.fd);
    kill(spare.pid, SIGKILL);
    waitpid(spare.pid, NULL, 0);
    census_forget(spare.pid);
    spare.pid = 0;
}

static void restless(void *context)
{
    struct psp *psp = context;
    psp->rest_timer = NULL;
    psp->rest = AT_WORK;
}

static bool may_rest(const struct psp *psp)
{
    return spare.wanted && spare.pid == 0 && psp->up && psp->drain == DRAINED &&
           psp->dialect == NULL;
}

/* It lets go of its database and its port, and says so: nothing else that it says is heard. False
 * when it does not. */
static bool put_to_rest(struct psp *psp)
{
    struct json *message = json_object();
    json_set_string(message, "type", "rest");
    psp->rest = channel_send(psp->channel, message) == ERR_OK ? TO_REST : AT_WORK;
    psp->rest_timer = loop_after(psp->loop, REST_MS, restless, psp);
    while (psp->rest == TO_REST)
        loop_turn(psp->loop);
    loop_timer_stop(psp->rest_timer);
    if (psp->rest != RESTING)
        return false;
    spare.pid = psp->pid;
    spare.fd = channel_release(psp->channel);
    spare.seed = psp->seed;
    return true;
}

/* --- what it says ---------------------------------------------------------------------------- */

static void event_came(struct psp *psp, const struct json *json)
{
    struct event event;
    if (event_from_json(json, &event) != ERR_OK) {
        log_error("the provider reported an event that is none");
        return;
    }
    /* A restarted one repeats what its predecessor may not have got around to say. */
    if (event.seq > psp->journal) {
        psp->journal = event.seq;
        if (event.kind == EVENT_UP)
            psp->up = !psp->killed;
        psp->handlers.event(psp->handlers.context, &event);
    }
    event_release(&event);
}

static void question_came(struct psp *psp, const struct json *message)
{
    const char *name = json_get_string(message, "at");
    const struct json *json = json_get(message, "attempt");
    struct attempt attempt = {0};
    enum failpoint at;
    if (name == NULL || !failpoint_parse(name, &at) ||
        (json != NULL && attempt_from_json(json, &attempt) != ERR_OK)) {
        log_error("the provider asked a question that is none");
        return;
    }
    attempt.peer_port = (int)json_get_int(message, "peer_port", 0);
    uint64_t number = json == NULL ? (uint64_t)json_get_int(message, "number", 0) : attempt.number;
    psp->handlers.ask(psp->handlers.context, number, at, json == NULL ? NULL : &attempt);
    attempt_release(&attempt);
}

/* Its end of the socket closes when it dies: it has no other reason to. */
static void gone(struct psp *psp)
{
    bool killed = psp->killed;
    channel_close(psp->channel);
    psp->channel = NULL;
    kill(psp->pid, SIGKILL);
    waitpid(psp->pid, NULL, 0);
    census_forget(psp->pid);
    psp->pid = 0;
    psp->up = false;
    psp->killed = false;
    psp->drain = NOT_DRAINED;
    psp->handlers.died(psp->handlers.context, killed);
}

static void drained(struct psp *psp, const struct json *message)
{
    psp->drain = DRAINED;
    psp->processing = json_get_int(message, "processing", 0);
    psp->webhooks = json_get_int(message, "webhooks", 0);
    psp->handlers.drained(psp->handlers.context);
}

static void message_came(void *context, const struct json *message)
{
    struct psp *psp = context;
    const char *type = message == NULL ? NULL : json_get_string(message, "type");
    if (psp->rest != AT_WORK) {
        psp->rest = message == NULL                                ? AT_WORK
                    : type != NULL && strcmp(type, "resting") == 0 ? RESTING
                                                                   : psp->rest;
        return;
    }
    if (message == NULL) {
        gone(psp);
        return;
    }
    if (type != NULL && strcmp(type, "event") == 0)
        event_came(psp, json_get(message, "event"));
    else if (type != NULL && strcmp(type, "broken") == 0)
        psp->handlers.broken(psp->handlers.context, json_get_string(message, "why"));
    else if (psp->killed)
        return; /* questions of the dead */
    else if (type != NULL && strcmp(type, "ask") == 0)
        question_came(psp, message);
    else if (type != NULL && strcmp(type, "end") == 0)
        psp->handlers.end(psp->handlers.context, (uint64_t)json_get_int(message, "number", 0));
    else if (type != NULL && strcmp(type, "drained") == 0)
        drained(psp, message);
    else
        log_error("the provider sent a message of unknown type");
}

/* A failure to send shows as the end of the same socket. */
static void tell(struct psp *psp, struct json *message)
{
    enum err err = channel_send(psp->channel, message);
    (void)err;
}

/* --- its process ----------------------------------------------------------------------------- */

static void log_to(const char *path)
{
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int log = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    dup2(nothing, STDIN_FILENO);
    dup2(log < 0 ? nothing : log, STDOUT_FILENO);
    dup2(log < 0 ? nothing : log, STDERR_FILENO);
    close(nothing);
    if (log >= 0)
        close(log);
}

/* Nothing of the harness may stay open in it: a client's pipe held here would never end. */
static _Noreturn void serve(const struct psp *psp, int fd, pid_t parent)
{
    proc_die_with(parent, SIGKILL);
    interrupt_reset();
    signal(SIGPIPE, SIG_IGN);
    log_to(psp->log);
    fd = proc_keep_only(fd);
    log_set_name("provider");
    provider_serve_remote(fd, psp->journal,
                          &(struct provider_options){.host = "127.0.0.1",
                                                     .port = psp->port,
                                                     .db = psp->db,
                                                     .db_alone = true,
                                                     .seed = psp->seed,
                                                     .dialect = psp->dialect},
                          log_to);
}

/* The one that waits serves: it was made with the same options otherwise. */
static bool wake(struct psp *psp)
{
    siginfo_t ended = {0};
    if (spare.pid == 0 || psp->journal != 0 || psp->dialect != NULL || psp->seed != spare.seed ||
        waitid(P_PID, (id_t)spare.pid, &ended, WEXITED | WNOHANG | WNOWAIT) != 0 ||
        ended.si_pid != 0)
        return false;
    struct json *message = json_object();
    json_set_string(message, "type", "serve");
    json_set_string(message, "db", psp->db);
    json_set_string(message, "log", psp->log);
    json_set_int(message, "port", psp->port);
    psp->pid = spare.pid;
    psp->channel = channel_open(psp->loop, spare.fd, message_came, psp);
    spare.pid = 0;
    tell(psp, message);
    return true;
}

enum err psp_start(struct psp *psp, struct err_text *why)
{
    int pair[2];
    CHECK(psp->pid == 0);
    if (wake(psp))
        return ERR_OK;
    psp_reuse_end();
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        return err_say(why, ERR_IO, "no socket for the provider: %s", strerror(errno));
    pid_t parent = getpid();
    fflush(NULL); /* or the child would print what we have not printed yet */
    pid_t pid = fork();
    if (pid == 0)
        serve(psp, pair[1], parent);
    close(pair[1]);
    if (pid < 0) {
        close(pair[0]);
        return err_say(why, ERR_IO, "no process for the provider: %s", strerror(errno));
    }
    census_spare(pid); /* it is nobody's client */
    psp->pid = pid;
    psp->channel = channel_open(psp->loop, pair[0], message_came, psp);
    return ERR_OK;
}

/* --- what it is told ------------------------------------------------------------------------- */

int psp_port(const struct psp *psp)
{
    return psp->port;
}

bool psp_is_up(const struct psp *psp)
{
    return psp->up;
}

bool psp_is_down(const struct psp *psp)
{
    return psp->pid == 0;
}

void psp_answer(struct psp *psp, uint64_t number, const struct action *action)
{
    if (psp->channel == NULL || psp->killed)
        return;
    struct json *message = json_object();
    json_set_string(message, "type", "act");
    json_set_int(message, "number", (int64_t)number);
    json_set(message, "act", action_to_json(action));
    tell(psp, message);
}

void psp_advance(struct psp *psp, int64_t ms)
{
    CHECK(psp->up);
    struct json *message = json_object();
    json_set_string(message, "type", "advance");
    json_set_int(message, "ms", ms);
    tell(psp, message);
}

void psp_drain(struct psp *psp)
{
    CHECK(psp->up);
    struct json *message = json_object();
    json_set_string(message, "type", "drain");
    psp->drain = DRAINING;
    tell(psp, message);
}

void psp_heal(struct psp *psp)
{
    CHECK(psp->up);
    struct json *message = json_object();
    json_set_string(message, "type", "heal");
    tell(psp, message);
}

bool psp_is_drained(const struct psp *psp)
{
    return psp->drain == DRAINED;
}

bool psp_is_draining(const struct psp *psp)
{
    return psp->drain == DRAINING;
}

int64_t psp_processing(const struct psp *psp)
{
    return psp->processing;
}

int64_t psp_webhooks(const struct psp *psp)
{
    return psp->webhooks;
}

void psp_kill(struct psp *psp)
{
    if (psp->pid == 0 || psp->killed)
        return;
    psp->killed = true;
    psp->up = false;
    kill(psp->pid, SIGKILL);
}

void psp_close(struct psp *psp)
{
    if (psp == NULL)
        return;
    bool rests = may_rest(psp) && put_to_rest(psp);
    if (!rests)
        channel_close(psp->channel);
    if (!rests && psp->pid != 0) {
        kill(psp->pid, SIGKILL);
        waitpid(psp->pid, NULL, 0);
        census_forget(psp->pid);
    }
    close(psp->reservation);
    free(psp->db);
    free(psp->log);
    free(psp);
}
