/* A process that plays one world after the other, with one provider for as many as it survives. */
#include "canonical.h"
#include "played.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

#define KILLED                                                                                     \
    "faults = { { pays = true, attempt = 1, at = 'after_commit', act = crash_psp('10ms') } }"

/* The one child that there is. */
static pid_t child(void)
{
    char line[100] = "";
    FILE *file = fopen("/proc/thread-self/children", "r");
    cr_assert_not_null(file);
    bool any = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    return any ? (pid_t)strtol(line, NULL, 10) : 0;
}

static void expect_nobody(void)
{
    cr_expect_lt(waitpid(-1, NULL, WNOHANG), 0);
    cr_expect_eq(errno, ECHILD);
}

static char *told(const struct result *result)
{
    struct buf text = {0};
    canonical_print(&result->history, &text);
    return buf_take(&text);
}

/* Plays FIELDS, which have to pass; its history. The caller frees it. */
static char *passes(const char *fields)
{
    struct result result = play(fields, PAY);
    expect_verdict(&result, VERDICT_PASS, "");
    char *text = told(&result);
    finish(&result);
    return text;
}

Test(reuse, the_next_world_is_as_new, .timeout = 60)
{
    char *alone = passes("orders = 2");
    expect_nobody();
    world_reuse();
    pid_t provider = 0;
    for (int i = 0; i < 4; i++) {
        char *text = passes("orders = 2");
        cr_expect_str_eq(text, alone);
        free(text);
        cr_expect(provider == 0 || provider == child(), "one serves them all");
        provider = child();
        cr_expect_gt(provider, 0);
    }
    world_reuse_end();
    expect_nobody();
    free(alone);
}

Test(reuse, a_kill_is_a_kill, .timeout = 60)
{
    world_reuse();
    free(passes("orders = 1"));
    pid_t first = child();
    free(passes(KILLED));
    cr_expect_lt(kill(first, 0), 0, "it was killed, and another one went on");
    cr_expect_gt(child(), 0);
    world_reuse_end();
    expect_nobody();
}

Test(reuse, the_clock_of_one_world_is_not_that_of_the_next, .timeout = 60)
{
    world_reuse();
    free(passes("run = function(world) world:advance('48h'); world:start():wait() end"));
    struct result result = play("orders = 1", PAY);
    struct clock_source machine = clock_machine();
    cr_expect_lt(nth(&result, EVENT_EFFECT, 1)->at_ms, machine.now_ms(machine.self) + 60000);
    finish(&result);
    world_reuse_end();
}

Test(reuse, one_that_has_died_since_is_replaced, .timeout = 60)
{
    world_reuse();
    free(passes("orders = 1"));
    pid_t first = child();
    cr_assert_eq(kill(first, SIGKILL), 0);
    siginfo_t ended;
    cr_assert_eq(waitid(P_PID, (id_t)first, &ended, WEXITED | WNOWAIT), 0);
    free(passes("orders = 1"));
    cr_expect_neq(child(), first);
    world_reuse_end();
    expect_nobody();
}

Test(reuse, a_world_that_was_cut_short_leaves_none, .timeout = 60)
{
    world_reuse();
    options.timeout_ms = 500;
    struct result result = play("orders = 1", PAY "sleep 60");
    expect_verdict(&result, VERDICT_INCONCLUSIVE, "timed out");
    finish(&result);
    expect_nobody();
}
