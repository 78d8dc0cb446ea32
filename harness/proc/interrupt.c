#include "interrupt.h"

#include "check.h"
#include "mem.h"

#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

struct interrupt {
    int fd;
    struct loop_watch *watch;
    loop_signal *handler;
    void *context;
};

static void readable(void *context, int events)
{
    struct interrupt *interrupt = context;
    struct signalfd_siginfo info;
    (void)events;
    if (read(interrupt->fd, &info, sizeof info) == (ssize_t)sizeof info)
        interrupt->handler(interrupt->context, (int)info.ssi_signo);
}

static sigset_t both(void)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    return set;
}

void interrupt_hold(void)
{
    sigset_t set = both();
    sigprocmask(SIG_BLOCK, &set, NULL);
}

int interrupt_taken(void)
{
    sigset_t set = both();
    int number = sigtimedwait(&set, NULL, &(struct timespec){0});
    return number > 0 ? number : 0;
}

struct interrupt *interrupt_open(struct loop *loop, loop_signal *handler, void *context)
{
    struct interrupt *interrupt = mem_alloc(sizeof *interrupt);
    sigset_t set = both();
    sigprocmask(SIG_BLOCK, &set, NULL);
    interrupt->fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
    CHECK(interrupt->fd >= 0);
    interrupt->handler = handler;
    interrupt->context = context;
    interrupt->watch = loop_watch(loop, interrupt->fd, LOOP_READABLE, readable, interrupt);
    return interrupt;
}

void interrupt_close(struct interrupt *interrupt)
{
    if (interrupt == NULL)
        return;
    loop_watch_stop(interrupt->watch);
    close(interrupt->fd);
    free(interrupt);
}

void interrupt_reset(void)
{
    sigset_t none;
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL); /* KILL and STOP refuse, and are at their default anyway */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}
