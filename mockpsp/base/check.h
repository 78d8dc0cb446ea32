/* The impossible: a bug of ours, never a fault of the disk, the peer, a script or a user.
 *
 * CHECK prints file, line and a backtrace and aborts. It stays in release builds: a provider that
 * goes on after its own invariants broke would give verdicts that nobody can trust. */
#ifndef CHECK_H
#define CHECK_H

#define CHECK(condition)                                                                           \
    ((condition) ? (void)0 : check_failed(#condition, __FILE__, __LINE__, __func__))

/* Marks a place that control cannot reach. */
#define CHECK_UNREACHABLE() check_failed("unreachable", __FILE__, __LINE__, __func__)

/* Prints what failed and where, with a backtrace, to stderr, and aborts. */
_Noreturn void check_failed(const char *condition, const char *file, int line, const char *func);

#endif
