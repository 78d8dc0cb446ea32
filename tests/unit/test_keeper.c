#include "family.h"
#include "keeper.h"
#include "proc_run.h"
#include "strays.h"

#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

/* Who watches over the client that SCRIPT makes, as the client sees it in its line. */
static pid_t keeper_of(const char *script)
{
    struct run run = {0};
    struct proc *proc = shell(&run, script);
    until_ended(&run);
    pid_t keeper = (pid_t)strtol(buf_string(&run.out) + 1, NULL, 10);
    cr_expect_gt(keeper, 0, "%s", buf_string(&run.out));
    finish(&run, proc);
    return keeper;
}

Test(keeper, takes_the_next_client_when_the_last_one_is_gone, .timeout = 20)
{
    strays_adopt();
    cr_expect_neq(keeper_of("echo $PPID"), keeper_of("echo $PPID"), "nobody said so");
    keeper_reuse();
    pid_t first = keeper_of("echo $PPID; (sleep 0.05 &)");
    cr_expect_eq(keeper_of("echo $PPID; exit 3"), first);
    expect_failure((char[]){"/no/such/program"}, ERR_NOT_FOUND, "does not exist");
    cr_expect_eq(keeper_of("cd /; echo $PPID; kill -9 $$"), first);
    keeper_reuse_end();
    cr_expect_eq(family_state(getpid(), FAMILY_EVERYBODY), FAMILY_GONE);
    cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1, "it was collected");
}

Test(keeper, that_was_killed_is_replaced, .timeout = 20)
{
    strays_adopt();
    keeper_reuse();
    pid_t first = keeper_of("echo $PPID");
    pid_t second = keeper_of("echo $PPID; kill -9 $PPID; sleep 1000");
    pid_t third = keeper_of("echo $PPID");
    cr_expect_eq(second, first);
    cr_expect_neq(third, first);
    kill(third, SIGKILL);
    while (family_state(getpid(), (struct family_choice){FAMILY_ONE, third}) != FAMILY_GONE)
        sched_yield();
    cr_expect_neq(keeper_of("echo $PPID"), third, "it died while it waited");
    keeper_reuse_end();
    cr_expect_eq(waitpid(-1, NULL, WNOHANG), -1);
}

Test(keeper, that_was_stopped_is_told_to_go_on, .timeout = 20)
{
    strays_adopt();
    keeper_reuse();
    pid_t first = keeper_of("echo $PPID");
    kill(first, SIGSTOP);
    cr_expect_eq(keeper_of("echo $PPID"), first);
    keeper_reuse_end();
}

Test(keeper, hands_down_whatever_a_client_is_given, .timeout = 20)
{
    struct run run = {.loop = loop_new()};
    struct proc *proc;
    struct err_text why;
    struct proc_handlers handlers = {.line = line_came, .ended = ended, .context = &run};
    char *argv[4000] = {(char[]){"sh"}, (char[]){"-c"}, (char[]){"echo $#; pwd; cat"}};
    char word[] = "a word with a \n newline, and no end that anybody would look for";
    for (int i = 3; i < 3999; i++)
        argv[i] = word;
    argv[3998] = (char[]){""};
    char input[] = "/tmp/test_proc.XXXXXX";
    int fd = mkstemp(input);
    cr_assert_eq(write(fd, "given\n", 6), 6);
    close(fd);
    struct proc_plan plan = {
        .argv = argv, .environment = ENVIRONMENT, .directory = "/usr", .input = input};
    cr_assert_eq(proc_start(run.loop, &plan, handlers, &proc, &why), ERR_OK, "%s", why.text);
    until_ended(&run);
    cr_expect_str_eq(buf_string(&run.out), "[3995][/usr][given]");
    unlink(input);
    finish(&run, proc);
}
