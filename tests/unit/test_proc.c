#include "buf.h"
#include "census.h"
#include "family.h"
#include "interrupt.h"
#include "lines.h"
#include "loop.h"
#include "mem.h"
#include "proc_run.h"
#include "strays.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- lines ------------------------------------------------------------------------------------ */

static void collect(void *context, const char *text)
{
    buf_addf(context, "[%s]", text);
}

static void feed(struct buf *got, const char *text)
{
    struct lines lines = {.emit = collect, .context = got};
    buf_clear(got);
    for (const char *c = text; *c != '\0'; c++)
        lines_add(&lines, c, 1); /* as badly cut as can be */
    lines_end(&lines);
    lines_release(&lines);
}

Test(lines, are_cut_at_their_ends)
{
    struct buf got = {0};
    feed(&got, "a\nbc\n\nd");
    cr_expect_str_eq(buf_string(&got), "[a][bc][][d]");
    feed(&got, "");
    cr_expect_str_eq(buf_string(&got), "");
    feed(&got, "dos\r\nmac\rinside\n");
    cr_expect_str_eq(buf_string(&got), "[dos][mac?inside]");
    buf_release(&got);
}

Test(lines, hold_clean_text_only)
{
    struct buf got = {0};
    feed(&got, "\033[31mred\a\ttab\n");
    cr_expect_str_eq(buf_string(&got), "[?[31mred?\ttab]");
    feed(&got, "caf\303\251 \342\202\254 \360\237\230\200\n");
    cr_expect_str_eq(buf_string(&got), "[caf\303\251 \342\202\254 \360\237\230\200]");
    feed(&got, "\377 \300\257 \355\240\200 \303\n");
    cr_expect_str_eq(buf_string(&got), "[? ?? ??? ?]");
    buf_release(&got);
}

Test(lines, come_in_pieces_when_they_are_long)
{
    struct buf got = {0};
    char *text = mem_alloc(LINES_LONGEST + 11);
    struct lines lines = {.emit = collect, .context = &got};
    memset(text, 'x', LINES_LONGEST + 10);
    text[LINES_LONGEST + 10] = '\n';
    lines_add(&lines, text, LINES_LONGEST + 11);
    cr_expect_eq(got.len, LINES_LONGEST + 10 + 4, "two pieces in brackets");
    cr_expect_eq(got.data[LINES_LONGEST + 1], ']');
    cr_expect_eq(lines.rest.len, 0);
    lines_release(&lines);
    buf_release(&got);
    free(text);
}

/* --- a process -------------------------------------------------------------------------------- */

static void until_state(pid_t root, enum family_state state)
{
    while (family_state(root, FAMILY_EVERYBODY) != state)
        sched_yield();
}

Test(proc, hands_out_lines_and_the_exit_status, .timeout = 20)
{
    struct run run = {0};
    struct proc *proc = shell(&run, "echo one; echo two >&2; printf three; exit 75");
    until_ended(&run);
    cr_expect_str_eq(buf_string(&run.out), "[one][three]");
    cr_expect_str_eq(buf_string(&run.err), "[two]");
    cr_expect_not(run.end.signalled);
    cr_expect_eq(run.end.code, 75);
    finish(&run, proc);
}

Test(proc, gives_its_environment_and_an_empty_input, .timeout = 20)
{
    struct run run = {0};
    setenv("LEAKED", "yes", 1);
    struct proc *proc = shell(&run, "echo \"$WORD${LEAKED-}\"; cat; echo end");
    until_ended(&run);
    cr_expect_str_eq(buf_string(&run.out), "[given][end]");
    finish(&run, proc);
}

Test(proc, has_no_descriptor_but_its_three, .timeout = 20)
{
    struct run run = {0};
    int ours = open("/dev/null", O_RDONLY); /* nor is this one handed down */
    struct proc *proc = shell(&run, "fd=3; while [ $fd -lt 64 ]; do "
                                    "[ -e /proc/$$/fd/$fd ] && echo $fd; fd=$((fd + 1)); done");
    until_ended(&run);
    cr_expect_str_eq(buf_string(&run.out), "");
    close(ours);
    finish(&run, proc);
}

Test(proc, starts_with_signals_at_their_defaults, .timeout = 20)
{
    struct run run = {0};
    signal(SIGPIPE, SIG_IGN);
    run.loop = loop_new();
    struct interrupt *interrupt = interrupt_open(run.loop, NULL, NULL);
    struct proc *proc = shell(&run, "grep -E 'Sig(Blk|Ign)' /proc/self/status");
    until_ended(&run);
    cr_expect_str_eq(buf_string(&run.out),
                     "[SigBlk:\t0000000000000000][SigIgn:\t0000000000000000]");
    interrupt_close(interrupt);
    finish(&run, proc);
}

Test(proc, says_which_signal_ended_it, .timeout = 20)
{
    struct run run = {0};
    struct proc *proc = shell(&run, "kill -SEGV $$");
    until_ended(&run);
    cr_expect(run.end.signalled);
    cr_expect_eq(run.end.code, SIGSEGV);
    finish(&run, proc);
}

Test(proc, tells_why_a_program_cannot_be_run)
{
    char script[] = "/tmp/test_proc.XXXXXX";
    int fd = mkstemp(script);
    cr_assert_eq(write(fd, "#!/no/such/interpreter\n", 23), 23);
    fchmod(fd, 0755);
    close(fd);
    expect_failure((char[]){"/no/such/program"}, ERR_NOT_FOUND, "does not exist");
    expect_failure((char[]){"no-such-program"}, ERR_NOT_FOUND, "not in PATH");
    expect_failure((char[]){"/etc/passwd"}, ERR_INVALID, "may not be executed");
    expect_failure((char[]){"/tmp"}, ERR_INVALID, "may not be executed");
    expect_failure(script, ERR_INVALID, "interpreter");
    unlink(script);
}

Test(proc, takes_everybody_with_it_and_says_so, .timeout = 20)
{
    struct run run = {0};
    strays_adopt();
    struct proc *proc =
        shell(&run, "sleep 1000 & setsid sleep 1000 & (sleep 1000 &) ; echo $$; exit 3");
    pid_t leader = proc_pid(proc);
    until_ended(&run);
    cr_expect_eq(strtol(buf_string(&run.out) + 1, NULL, 10), leader);
    cr_expect_eq(run.end.code, 3);
    cr_expect(run.end.left_behind);
    cr_expect_eq(family_state(getpid(), FAMILY_EVERYBODY), FAMILY_GONE);
    finish(&run, proc);
}

Test(proc, leaves_no_dead_behind, .timeout = 20)
{
    struct run run = {0};
    struct census census;
    strays_adopt();
    struct proc *proc = shell(&run, "for i in 1 2 3 4 5; do (true &); done; exit 0");
    until_ended(&run);
    census_take(getpid(), &census);
    cr_expect_eq(census.count, 0);
    cr_expect_not(run.end.left_behind);
    census_release(&census);
    finish(&run, proc);
}

Test(proc, waits_for_those_who_end_by_themselves, .timeout = 20)
{
    struct run run = {0};
    strays_adopt();
    struct proc *proc = shell(&run, "setsid sh -c 'sleep 0.1; echo late' & exit 0");
    until_ended(&run);
    cr_expect_str_eq(buf_string(&run.out), "[late]");
    cr_expect_not(run.end.left_behind);
    finish(&run, proc);
}

Test(proc, stops_goes_on_and_is_killed_as_a_whole, .timeout = 20)
{
    struct run run = {0};
    strays_adopt();
    struct proc *proc = shell(&run, "set -m; setsid sh -c 'while true; do sleep 0.01; done' & "
                                    "timeout 1000 sh -c 'while true; do sleep 0.01; done' & "
                                    "echo here; while true; do sleep 0.01; done");
    until_line(&run);
    pid_t leader = proc_pid(proc);
    until_state(leader, FAMILY_RUNNING);
    proc_signal(proc, FAMILY_EVERYBODY, SIGSTOP);
    while (proc_state(proc, FAMILY_EVERYBODY) == FAMILY_RUNNING)
        sched_yield();
    proc_signal(proc, FAMILY_EVERYBODY, SIGCONT);
    until_state(leader, FAMILY_RUNNING);
    proc_signal(proc, FAMILY_EVERYBODY, SIGSTOP);
    proc_signal(proc, FAMILY_EVERYBODY, SIGKILL);
    until_ended(&run);
    cr_expect(run.end.signalled);
    cr_expect_eq(run.end.code, SIGKILL);
    cr_expect_not(run.end.left_behind, "it was killed, and did not leave");
    until_state(getpid(), FAMILY_GONE);
    finish(&run, proc);
}

Test(proc, one_of_it_may_be_killed, .timeout = 20)
{
    struct run run = {0};
    strays_adopt();
    struct proc *proc = shell(&run, "sleep 1000 & echo $!; wait $!; echo $?");
    until_line(&run);
    struct family_choice one = {FAMILY_ONE, (pid_t)strtol(buf_string(&run.out) + 1, NULL, 10)};
    cr_expect_neq(proc_state(proc, one), FAMILY_GONE);
    proc_signal(proc, one, SIGSTOP);
    while (proc_state(proc, one) != FAMILY_STOPPED)
        sched_yield();
    cr_expect_neq(proc_state(proc, FAMILY_EVERYBODY), FAMILY_GONE);
    proc_signal(proc, one, SIGKILL);
    until_ended(&run);
    cr_expect_eq(proc_state(proc, one), FAMILY_GONE);
    cr_expect_not_null(strstr(buf_string(&run.out), "[137]"), "the other one has seen it");
    cr_expect_eq(run.end.code, 0);
    cr_expect_not(run.end.left_behind);
    finish(&run, proc);
}

Test(proc, nobody_outlives_the_leader_of_a_part, .timeout = 20)
{
    struct run run = {0};
    strays_adopt();
    struct proc *proc = shell(&run, "setsid sleep 1000 & echo here; wait");
    until_line(&run);
    proc_signal(proc, (struct family_choice){FAMILY_ONE, proc_pid(proc)}, SIGTERM);
    until_ended(&run);
    cr_expect_eq(run.end.code, SIGTERM);
    cr_expect_not(run.end.left_behind, "it was killed, and did not leave");
    until_state(getpid(), FAMILY_GONE);
    finish(&run, proc);
}

Test(proc, is_killed_when_it_is_freed, .timeout = 20)
{
    struct run run = {0};
    struct proc *proc = shell(&run, "echo here; sleep 1000");
    until_line(&run);
    finish(&run, proc);
    until_state(getpid(), FAMILY_GONE);
}

Test(proc, a_daemon_that_holds_its_output_is_not_waited_for, .timeout = 20)
{
    struct run run = {0};
    strays_adopt();
    struct proc *proc = shell(&run, "setsid sleep 1000 & echo done");
    until_ended(&run);
    cr_expect_str_eq(buf_string(&run.out), "[done]");
    finish(&run, proc);
}

Test(proc, is_told_from_another_that_runs_beside_it, .timeout = 20)
{
    struct run first = {0};
    struct run second = {0};
    struct proc *one = shell(&first, "setsid sleep 1000 & echo here; wait");
    struct proc *two = shell(&second, "setsid sh -c 'while true; do sleep 0.01; done' & "
                                      "echo here; wait");
    until_line(&first);
    until_line(&second);
    proc_signal(one, FAMILY_EVERYBODY, SIGSTOP);
    while (proc_state(one, FAMILY_EVERYBODY) == FAMILY_RUNNING)
        sched_yield();
    cr_expect_eq(proc_state(two, FAMILY_EVERYBODY), FAMILY_RUNNING);
    proc_signal(one, FAMILY_EVERYBODY, SIGKILL);
    until_ended(&first);
    cr_expect_eq(kill(proc_pid(two), 0), 0);
    finish(&first, one);
    finish(&second, two);
    until_state(getpid(), FAMILY_GONE);
}

/* The harness of a client that has put its processes wherever it could. It says who they are. */
static _Noreturn void be_harness(int out)
{
    struct run run = {0};
    shell(&run, "setsid sleep 1000 & daemon=$!; (setsid sh -c 'sleep 1000' &) ; "
                "echo $$ $daemon; wait");
    until_line(&run);
    dprintf(out, "%s", buf_string(&run.out));
    for (;;)
        loop_turn(run.loop);
}

Test(proc, dies_with_a_harness_that_is_killed, .timeout = 30)
{
    int ends[2];
    char text[64] = "";
    strays_adopt(); /* so that whoever is left would be seen here */
    cr_assert_eq(pipe(ends), 0);
    pid_t harness = fork();
    if (harness == 0)
        be_harness(ends[1]);
    cr_assert_gt(read(ends[0], text, sizeof text - 1), 0);
    char *end;
    pid_t leader = (pid_t)strtol(text + 1, &end, 10);
    pid_t daemon = (pid_t)strtol(end, NULL, 10);
    cr_assert(leader > 0 && daemon > 0, "%s", text);
    kill(harness, SIGKILL);
    until_state(getpid(), FAMILY_GONE);
    cr_expect_neq(kill(leader, 0), 0);
    cr_expect_neq(kill(daemon, 0), 0);
}

Test(strays, spare_who_was_there_before, .timeout = 20)
{
    pid_t older = fork();
    if (older == 0) {
        for (;;)
            pause();
    }
    strays_adopt();
    cr_assert_gt(older, 0);
    pid_t younger = fork();
    if (younger == 0) {
        for (;;)
            pause();
    }
    cr_expect(strays_end());
    cr_expect_eq(kill(younger, 0), -1);
    cr_expect_eq(kill(older, 0), 0);
    kill(older, SIGKILL);
    cr_expect_eq(waitpid(older, NULL, 0), older);
}

/* What sudo leaves to a user: a process that only root may kill. It ends when its pipe does. */
Test(strays, that_may_not_be_killed_are_given_up, .timeout = 60)
{
    int ends[2];
    char byte;
    if (geteuid() != 0)
        cr_skip_test("only root can become somebody who may not kill it");
    cr_assert_eq(pipe(ends), 0);
    strays_adopt();
    pid_t roots = fork();
    if (roots == 0) {
        close(ends[1]);
        _exit(read(ends[0], &byte, 1) == 0 ? 0 : 1);
    }
    cr_assert_gt(roots, 0);
    cr_assert_eq(setresuid(65534, 65534, 65534), 0);
    cr_expect_not(strays_end());
    cr_expect_neq(family_state(getpid(), FAMILY_EVERYBODY), FAMILY_GONE);
    close(ends[1]);
    cr_expect(strays_end());
}

/* A chain of forks, each link of which is gone before it can be killed; it ends by itself, so that
 * nothing is left of it should the test fail. Whether it is caught is a race: that it is not chased
 * for ever is not. */
Test(strays, that_outrun_us_are_not_chased_for_ever, .timeout = 60)
{
    strays_adopt();
    pid_t first = fork();
    for (int links = 0; first == 0 && links < 20000; links++)
        if (fork() != 0)
            _exit(0);
    if (first == 0)
        _exit(0);
    cr_assert_gt(first, 0);
    while (!strays_end())
        ;
    cr_expect_eq(family_state(getpid(), FAMILY_EVERYBODY), FAMILY_GONE);
}

/* --- interrupt -------------------------------------------------------------------------------- */

static int signals[2];
static int signal_count;

static void signal_came(void *context, int number)
{
    (void)context;
    signals[signal_count++] = number;
}

Test(interrupt, turns_signals_into_events, .timeout = 20)
{
    struct loop *loop = loop_new();
    struct interrupt *interrupt = interrupt_open(loop, signal_came, NULL);
    raise(SIGTERM);
    while (signal_count < 1)
        loop_turn(loop);
    raise(SIGINT);
    while (signal_count < 2)
        loop_turn(loop);
    cr_expect_eq(signals[0], SIGTERM);
    cr_expect_eq(signals[1], SIGINT);
    interrupt_close(interrupt);
    loop_free(loop);
}
