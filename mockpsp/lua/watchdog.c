#include "watchdog.h"

#include "check.h"

#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define STATUS_BROKEN_SCRIPT 2

static volatile sig_atomic_t barks;
static struct watch current; /* changes only while the timer is off */

/* Async-signal-safe, for the rest of the process may be in any state. */
static void say(const char *text)
{
    ssize_t written = write(STDERR_FILENO, text, strlen(text));
    (void)written; /* nobody is left to tell */
}

static void bark(int signal)
{
    (void)signal;
    if (++barks == 1) {
        if (current.expired != NULL)
            current.expired(current.context);
        return;
    }
    say(current.file);
    say(": the script is stuck inside a library function and cannot be stopped: giving up\n");
    _exit(STATUS_BROKEN_SCRIPT);
}

/* Every time: a process of the harness forgets all handlers when it begins. */
static void install(void)
{
    struct sigaction action = {.sa_handler = bark, .sa_flags = SA_RESTART};
    CHECK(sigaction(SIGPROF, &action, NULL) == 0);
}

static struct timeval from_ms(int64_t ms)
{
    return (struct timeval){.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000};
}

void watchdog_stop(void)
{
    struct itimerval never = {0};
    CHECK(setitimer(ITIMER_PROF, &never, NULL) == 0);
}

void watchdog_start(const struct watch *watch)
{
    struct itimerval timer = {.it_value = from_ms(watch->soft_ms),
                              .it_interval = from_ms(watch->stuck_ms)};
    watchdog_stop();
    install();
    current = *watch;
    barks = 0;
    CHECK(setitimer(ITIMER_PROF, &timer, NULL) == 0);
}

bool watchdog_expired(void)
{
    return barks > 0;
}
