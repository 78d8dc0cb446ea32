/* A client process as a test sees it: what it has said, and how it ended. */
#ifndef PROC_RUN_H
#define PROC_RUN_H

#include "buf.h"
#include "loop.h"
#include "mem.h"
#include "proc.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

struct run {
    struct loop *loop;
    struct buf out;
    struct buf err;
    struct proc_end end;
    bool ended;
};

static inline void line_came(void *context, enum proc_stream stream, const char *text)
{
    struct run *run = context;
    buf_addf(stream == PROC_STDOUT ? &run->out : &run->err, "[%s]", text);
}

static inline void ended(void *context, struct proc_end end)
{
    struct run *run = context;
    run->end = end;
    run->ended = true;
}

static char *const ENVIRONMENT[] = {(char[]){"PATH=/usr/bin:/bin"}, (char[]){"WORD=given"}, NULL};

static inline enum err begin(struct run *run, char *const *argv, struct proc **proc,
                             struct err_text *why)
{
    struct proc_handlers handlers = {.line = line_came, .ended = ended, .context = run};
    if (run->loop == NULL)
        run->loop = loop_new();
    struct proc_plan plan = {.argv = argv, .environment = ENVIRONMENT};
    return proc_start(run->loop, &plan, handlers, proc, why);
}

static inline struct proc *shell(struct run *run, const char *script)
{
    struct proc *proc;
    struct err_text why;
    char *copy = mem_strdup(script);
    char *argv[] = {(char[]){"sh"}, (char[]){"-c"}, copy, NULL};
    cr_assert_eq(begin(run, argv, &proc, &why), ERR_OK, "%s", why.text);
    free(copy);
    return proc;
}

static inline void until_ended(struct run *run)
{
    while (!run->ended)
        loop_turn(run->loop);
}

static inline void finish(struct run *run, struct proc *proc)
{
    proc_free(proc);
    loop_free(run->loop);
    buf_release(&run->out);
    buf_release(&run->err);
}

/* Lets the loop wait for one more line of output. */
static inline void until_line(struct run *run)
{
    while (run->out.len == 0)
        loop_turn(run->loop);
}

static inline void expect_failure(char *program, enum err wanted, const char *words)
{
    struct run run = {0};
    struct proc *proc;
    struct err_text why = {0};
    char *argv[] = {program, NULL};
    cr_expect_eq(begin(&run, argv, &proc, &why), wanted, "%s", program);
    cr_expect_null(proc);
    cr_expect_not_null(strstr(why.text, words), "%s", why.text);
    loop_free(run.loop);
}

#endif
