/* A client process: started, listened to, stopped, killed, and seen dead.
 *
 * It leads a process group of its own, dies with the world that started it (see keeper.h), and its
 * two outputs come line by line. Whoever it brought and leaves behind when it ends has a second to
 * end as well and is killed then: nothing of a client works on after the harness took its word.
 * Several may run at once. */
#ifndef PROC_H
#define PROC_H

#include "err.h"
#include "family.h"
#include "loop.h"

#include <stdbool.h>
#include <sys/types.h>

struct proc;

#define PROC_STREAM_LIST(X)                                                                        \
    X(PROC_STDOUT, "stdout")                                                                       \
    X(PROC_STDERR, "stderr")

#define PROC_STREAM_ENUM(constant, name) constant,
enum proc_stream { PROC_STREAM_LIST(PROC_STREAM_ENUM) PROC_STREAM_COUNT };
#undef PROC_STREAM_ENUM

const char *proc_stream_name(enum proc_stream stream);

struct proc_end {
    bool signalled;
    int code;         /* exit status, or the signal */
    bool left_behind; /* others lived on until they were killed */
    bool unkept;      /* its keeper was killed first: whether it left others behind is not known */
};

struct proc_handlers {
    /* One line, see lines.h; TEXT is borrowed. */
    void (*line)(void *context, enum proc_stream stream, const char *text);
    /* It has ended with all it brought, and every line has been handed out. The handler may free
     * it. */
    void (*ended)(void *context, struct proc_end end);
    void *context;
};

/* Both lists end with NULL. */
struct proc_plan {
    char *const *argv;
    char *const *environment;
    const char *directory; /* to work in; NULL: where the harness does */
    const char *input;     /* a file, absolute; NULL: it reads nothing */
};

/* Starts ARGV[0], looked up in PATH unless it has a slash, with ENVIRONMENT and nothing else. When
 * the program cannot be run: ERR_NOT_FOUND (no such file), ERR_INVALID (there, but not to be
 * executed) or ERR_IO, with what to say of the client in WHY ("could not be given a pipe: ...");
 * *PROC is NULL then. */
enum err proc_start(struct loop *loop, const struct proc_plan *plan, struct proc_handlers handlers,
                    struct proc **proc, struct err_text *why) MUST_CHECK;

pid_t proc_pid(const struct proc *proc);

/* SIGSTOP, SIGCONT, or what kills, to those of it that CHOICE means, whatever their group. When the
 * one that was started dies of it the others die as well, as those of a container do. */
void proc_signal(struct proc *proc, struct family_choice choice, int signal);

/* Of those of it that CHOICE means. */
enum family_state proc_state(const struct proc *proc, struct family_choice choice);

/* Which process of it holds the end, at LOCAL_PORT, of a connection to REMOTE_PORT; 0: none. */
pid_t proc_with_connection(const struct proc *proc, int local_port, int remote_port);

/* Kills everybody if it lives, collects the leader; no handler is called. NULL is fine. */
void proc_free(struct proc *proc);

/* For a child just forked: the descriptor KEEP becomes number 3, all others above 2 are closed. */
int proc_keep_only(int keep);

/* For a child just forked: dies when PARENT does, which was its parent at the fork, by SIGNAL. */
void proc_die_with(pid_t parent, int signal);

#endif
