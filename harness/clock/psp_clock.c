/* psp-clock.so: the world's clock for a client, preloaded into its processes (client_clock.h).
 *
 * Wall-clock time is the machine's and so many milliseconds, which stand in a file that the harness
 * writes and PSP_CLOCK_FILE names (psp_clock_file.h): a process that runs already moves with it.
 * The monotonic clock stays as it is, so what is waited for takes as long as it does. Deadlines of
 * the wall clock are turned back into the machine's before the kernel, or libc, sees them. The
 * times of files stay the machine's.
 *
 * libfaketime 0.9.10 cannot do that: where it moves the monotonic clock, Python's Event.wait(0.2)
 * takes a day longer, where it does not time.sleep(0.2) fails with EINVAL; and it leaves
 * files in /dev/shm behind when its process is killed.
 *
 * This is the only code of ours in somebody else's process: it allocates nothing, prints nothing,
 * and needs nobody to be initialised before it. */
#include "psp_clock_file.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))

#define SECOND_NS INT64_C(1000000000)

/* No machine has been up for so many seconds, and no wall clock stands so early: what a deadline
 * without the name of its clock is meant for. */
#define WALL_CLOCK_S INT64_C(1000000000)

static const volatile int64_t *ahead; /* milliseconds; NULL: none */

__attribute__((constructor)) static void find_clock(void)
{
    const char *path = getenv("PSP_CLOCK_FILE");
    int fd = path == NULL ? -1 : open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return;
    struct psp_clock_file *file =
        mmap(NULL, sizeof *file, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (file == MAP_FAILED)
        return;
    ahead = &file->ahead_ms;
    __atomic_add_fetch(&file->loads, 1, __ATOMIC_RELAXED);
}

static int64_t ahead_ms(void)
{
    return ahead == NULL ? 0 : *ahead;
}

static struct timespec moved(struct timespec time, int64_t by_ms)
{
    int64_t ns = time.tv_nsec + by_ms % 1000 * 1000000;
    time.tv_sec += by_ms / 1000 + (ns >= SECOND_NS) - (ns < 0);
    time.tv_nsec = ns + (ns < 0 ? SECOND_NS : 0) - (ns >= SECOND_NS ? SECOND_NS : 0);
    return time;
}

/* A deadline of the wall clock as the machine has it. */
static struct timespec machines(const struct timespec *deadline)
{
    return moved(*deadline, -ahead_ms());
}

static struct timespec machines_if_wall(const struct timespec *deadline)
{
    return deadline->tv_sec >= WALL_CLOCK_S ? machines(deadline) : *deadline;
}

static bool is_wall(clockid_t clock)
{
    return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ||
           clock == CLOCK_REALTIME_ALARM;
}

/* --- what time is it? ------------------------------------------------------------------------- */

/* The kernel is asked itself: whoever would be found in the next library may not be ready yet. */
static int read_clock(clockid_t clock, struct timespec *time)
{
    return (int)syscall(SYS_clock_gettime, clock, time);
}

PUBLIC int clock_gettime(clockid_t clock, struct timespec *time)
{
    int status = read_clock(clock, time);
    if (status == 0 && is_wall(clock))
        *time = moved(*time, ahead_ms());
    return status;
}

static struct timespec wall_time(void)
{
    struct timespec now = {0};
    read_clock(CLOCK_REALTIME, &now);
    return moved(now, ahead_ms());
}

PUBLIC time_t time(time_t *into)
{
    time_t now = wall_time().tv_sec;
    if (into != NULL)
        *into = now;
    return now;
}

PUBLIC int gettimeofday(struct timeval *restrict into, void *restrict zone)
{
    struct timespec now = wall_time();
    (void)zone; /* nobody has had one for decades */
    *into = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}

PUBLIC int timespec_get(struct timespec *into, int base)
{
    if (base != TIME_UTC)
        return 0;
    *into = wall_time();
    return base;
}

/* --- until when? ------------------------------------------------------------------------------ */

/* The same function in the library behind this one. Of those that exist in two versions the newer
 * one is meant, which dlsym does not find. */
static void *behind(const char *name)
{
    void *function = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
    return function != NULL ? function : dlsym(RTLD_NEXT, name);
}

/* Calls it, as declared where it is called from. */
#define CALL_BEHIND(name, ...)                                                                     \
    do {                                                                                           \
        static __typeof__(&name) next;                                                             \
        if (next == NULL)                                                                          \
            next = (__typeof__(&name))behind(#name);                                               \
        return next(__VA_ARGS__);                                                                  \
    } while (0)

PUBLIC int clock_nanosleep(clockid_t clock, int flags, const struct timespec *wanted,
                           struct timespec *rest)
{
    struct timespec until = *wanted;
    if (is_wall(clock) && (flags & TIMER_ABSTIME) != 0)
        until = machines(wanted);
    CALL_BEHIND(clock_nanosleep, clock, flags, &until, rest);
}

PUBLIC int pthread_cond_timedwait(pthread_cond_t *restrict condition,
                                  pthread_mutex_t *restrict mutex,
                                  const struct timespec *restrict deadline)
{
    struct timespec until = machines_if_wall(deadline); /* its clock is an attribute of CONDITION */
    CALL_BEHIND(pthread_cond_timedwait, condition, mutex, &until);
}

PUBLIC int pthread_cond_clockwait(pthread_cond_t *condition, pthread_mutex_t *mutex,
                                  clockid_t clock, const struct timespec *deadline)
{
    struct timespec until = is_wall(clock) ? machines(deadline) : *deadline;
    CALL_BEHIND(pthread_cond_clockwait, condition, mutex, clock, &until);
}

PUBLIC int pthread_mutex_timedlock(pthread_mutex_t *restrict mutex,
                                   const struct timespec *restrict deadline)
{
    struct timespec until = machines(deadline);
    CALL_BEHIND(pthread_mutex_timedlock, mutex, &until);
}

PUBLIC int pthread_mutex_clocklock(pthread_mutex_t *mutex, clockid_t clock,
                                   const struct timespec *deadline)
{
    struct timespec until = is_wall(clock) ? machines(deadline) : *deadline;
    CALL_BEHIND(pthread_mutex_clocklock, mutex, clock, &until);
}

PUBLIC int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict deadline)
{
    struct timespec until = machines(deadline);
    CALL_BEHIND(sem_timedwait, semaphore, &until);
}

PUBLIC int sem_clockwait(sem_t *semaphore, clockid_t clock, const struct timespec *deadline)
{
    struct timespec until = is_wall(clock) ? machines(deadline) : *deadline;
    CALL_BEHIND(sem_clockwait, semaphore, clock, &until);
}

static struct itimerspec machines_timer(const struct itimerspec *timer, bool absolute)
{
    struct itimerspec made = *timer;
    if (absolute)
        made.it_value = machines_if_wall(&timer->it_value);
    return made;
}

PUBLIC int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict wanted,
                         struct itimerspec *restrict before)
{
    struct itimerspec made = machines_timer(wanted, (flags & TIMER_ABSTIME) != 0);
    CALL_BEHIND(timer_settime, timer, flags, &made, before);
}

PUBLIC int timerfd_settime(int fd, int flags, const struct itimerspec *wanted,
                           struct itimerspec *before)
{
    struct itimerspec made = machines_timer(wanted, (flags & TFD_TIMER_ABSTIME) != 0);
    CALL_BEHIND(timerfd_settime, fd, flags, &made, before);
}
