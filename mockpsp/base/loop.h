/* One event loop: descriptors and folders to watch, and timers. The only file that knows libuv.
 *
 * Everything runs in the thread that calls loop_run or loop_turn. Callbacks may start and stop any
 * timer or watch, their own included. */
#ifndef LOOP_H
#define LOOP_H

#include <stdbool.h>
#include <stdint.h>

struct loop;
struct loop_timer;
struct loop_watch;
struct loop_folder;

#define LOOP_READABLE 1
#define LOOP_WRITABLE 2
#define LOOP_GONE     4 /* the peer has closed, or half closed, its side */

/* A timer that came due. It is gone when the callback starts. */
typedef void loop_due(void *context);

/* EVENTS is a set of LOOP_ bits that hold now; an error on the descriptor sets all of them. */
typedef void loop_ready(void *context, int events);

/* What ended a program: SIGINT or SIGTERM. */
typedef void loop_signal(void *context, int signal);

struct loop *loop_new(void);

/* Ends every timer and watch. Descriptors stay open: they belong to whoever made them. */
void loop_free(struct loop *loop);

/* Calls DUE once, MS milliseconds from now (0: in the next turn). */
struct loop_timer *loop_after(struct loop *loop, int64_t ms, loop_due *due, void *context);
void loop_timer_stop(struct loop_timer *timer); /* NULL is fine */

/* Calls READY whenever one of EVENTS holds on FD, which must outlive the watch. */
struct loop_watch *loop_watch(struct loop *loop, int fd, int events, loop_ready *ready,
                              void *context);
void loop_watch_stop(struct loop_watch *watch); /* NULL is fine */

/* An entry of a folder has changed, come or gone: NAME, or (NULL) nobody knows which. */
typedef void loop_changed(void *context, const char *name);

/* Calls CHANGED after every change in the folder PATH. It may be told of one change several times,
 * and, where the kernel does not know (a network file system, a folder put in the place of this
 * one), never: look for yourself now and then. NULL when the folder cannot be watched. */
struct loop_folder *loop_watch_folder(struct loop *loop, const char *path, loop_changed *changed,
                                      void *context);
void loop_folder_stop(struct loop_folder *folder); /* NULL is fine */

/* Takes SIGINT and SIGTERM over from their default for the life of the loop. */
void loop_on_signal(struct loop *loop, loop_signal *handler, void *context);

/* Runs until loop_stop. */
void loop_run(struct loop *loop);
void loop_stop(struct loop *loop);

/* Waits until at least one event, handles what is there, and returns. */
void loop_turn(struct loop *loop);

#endif
