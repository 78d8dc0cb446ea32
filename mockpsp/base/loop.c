#include "loop.h"

#include "check.h"
#include "mem.h"

#include <signal.h>
#include <stdlib.h>
#include <unistd.h>
#include <uv.h>

struct loop {
    uv_loop_t uv;
    uv_signal_t signals[2];
    bool has_signals;
    loop_signal *on_signal;
    void *signal_context;
};

struct loop_timer {
    uv_timer_t uv;
    loop_due *due;
    void *context;
};

struct loop_watch {
    uv_poll_t uv;
    loop_ready *ready;
    void *context;
};

struct loop_folder {
    uv_fs_event_t uv;
    loop_changed *changed;
    void *context;
};

struct loop *loop_new(void)
{
    struct loop *loop = mem_alloc(sizeof *loop);
    CHECK(uv_loop_init(&loop->uv) == 0);
    return loop;
}

static void free_handle(uv_handle_t *handle)
{
    free(handle->data);
}

/* Timers, watches and folders carry themselves in data; signals, which live in the loop, carry
 * NULL. */
static void close_handle(uv_handle_t *handle, void *unused)
{
    (void)unused;
    if (!uv_is_closing(handle))
        uv_close(handle, free_handle);
}

void loop_free(struct loop *loop)
{
    if (loop == NULL)
        return;
    uv_walk(&loop->uv, close_handle, NULL);
    /* A loop_stop that nobody waited for ends the first of these runs before it begins. */
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    uv_run(&loop->uv, UV_RUN_DEFAULT);
    CHECK(uv_loop_close(&loop->uv) == 0);
    free(loop);
}

static void timer_due(uv_timer_t *uv)
{
    struct loop_timer *timer = uv->data;
    loop_due *due = timer->due;
    void *context = timer->context;
    loop_timer_stop(timer);
    due(context);
}

struct loop_timer *loop_after(struct loop *loop, int64_t ms, loop_due *due, void *context)
{
    struct loop_timer *timer = mem_alloc(sizeof *timer);
    timer->due = due;
    timer->context = context;
    uv_timer_init(&loop->uv, &timer->uv);
    timer->uv.data = timer;
    /* libuv measures from the start of the turn, which may lie some milliseconds back. */
    uv_update_time(&loop->uv);
    uv_timer_start(&timer->uv, timer_due, ms < 0 ? 0 : (uint64_t)ms, 0);
    return timer;
}

void loop_timer_stop(struct loop_timer *timer)
{
    if (timer != NULL)
        close_handle((uv_handle_t *)&timer->uv, NULL);
}

static void watch_ready(uv_poll_t *uv, int status, int uv_events)
{
    struct loop_watch *watch = uv->data;
    int events = 0;
    if (status < 0)
        events = LOOP_READABLE | LOOP_WRITABLE | LOOP_GONE;
    if (uv_events & UV_READABLE)
        events |= LOOP_READABLE;
    if (uv_events & UV_WRITABLE)
        events |= LOOP_WRITABLE;
    if (uv_events & UV_DISCONNECT)
        events |= LOOP_GONE;
    watch->ready(watch->context, events);
}

struct loop_watch *loop_watch(struct loop *loop, int fd, int events, loop_ready *ready,
                              void *context)
{
    struct loop_watch *watch = mem_alloc(sizeof *watch);
    int uv_events = 0;
    watch->ready = ready;
    watch->context = context;
    if (events & LOOP_READABLE)
        uv_events |= UV_READABLE;
    if (events & LOOP_WRITABLE)
        uv_events |= UV_WRITABLE;
    if (events & LOOP_GONE)
        uv_events |= UV_DISCONNECT;
    CHECK(uv_poll_init(&loop->uv, &watch->uv, fd) == 0);
    watch->uv.data = watch;
    CHECK(uv_poll_start(&watch->uv, uv_events, watch_ready) == 0);
    return watch;
}

void loop_watch_stop(struct loop_watch *watch)
{
    if (watch == NULL)
        return;
    uv_poll_stop(&watch->uv);
    close_handle((uv_handle_t *)&watch->uv, NULL);
}

static void folder_changed(uv_fs_event_t *uv, const char *name, int uv_events, int status)
{
    struct loop_folder *folder = uv->data;
    (void)uv_events;
    folder->changed(folder->context, status < 0 ? NULL : name);
}

struct loop_folder *loop_watch_folder(struct loop *loop, const char *path, loop_changed *changed,
                                      void *context)
{
    struct loop_folder *folder = mem_alloc(sizeof *folder);
    folder->changed = changed;
    folder->context = context;
    CHECK(uv_fs_event_init(&loop->uv, &folder->uv) == 0);
    folder->uv.data = folder;
    if (uv_fs_event_start(&folder->uv, folder_changed, path, 0) == 0)
        return folder;
    loop_folder_stop(folder);
    return NULL;
}

void loop_folder_stop(struct loop_folder *folder)
{
    if (folder != NULL)
        close_handle((uv_handle_t *)&folder->uv, NULL);
}

static void signal_came(uv_signal_t *uv, int signal)
{
    struct loop *loop = (struct loop *)uv->loop->data;
    loop->on_signal(loop->signal_context, signal);
}

void loop_on_signal(struct loop *loop, loop_signal *handler, void *context)
{
    static const int numbers[] = {SIGINT, SIGTERM};
    CHECK(!loop->has_signals);
    loop->uv.data = loop;
    loop->on_signal = handler;
    loop->signal_context = context;
    for (int i = 0; i < 2; i++) {
        uv_signal_init(&loop->uv, &loop->signals[i]);
        uv_signal_start(&loop->signals[i], signal_came, numbers[i]);
    }
    loop->has_signals = true;
}

void loop_run(struct loop *loop)
{
    uv_run(&loop->uv, UV_RUN_DEFAULT);
}

void loop_stop(struct loop *loop)
{
    uv_stop(&loop->uv);
}

void loop_turn(struct loop *loop)
{
    uv_run(&loop->uv, UV_RUN_ONCE);
}
