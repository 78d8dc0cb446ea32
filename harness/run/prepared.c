#include "prepared.h"

#include "box.h"
#include "client.h"
#include "duration.h"
#include "loop.h"
#include "mem.h"
#include "proc.h"
#include "strays.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_SAID 300 /* bytes of its last words */

/* The command, while it runs. */
struct work {
    struct proc *proc;
    bool over;
    bool late;
    struct proc_end end;
    char *last_words; /* or NULL */
};

static void line_came(void *context, enum proc_stream stream, const char *text)
{
    struct work *work = context;
    if (stream == PROC_STDERR && *text != '\0')
        mem_set_string(&work->last_words, text);
}

static void ended(void *context, struct proc_end end)
{
    struct work *work = context;
    work->over = true;
    work->end = end;
}

static void late(void *context)
{
    struct work *work = context;
    work->late = true;
    if (!work->over)
        proc_signal(work->proc, FAMILY_EVERYBODY, SIGKILL);
}

static enum err judge(const struct work *work, int64_t timeout_ms, struct err_text *why)
{
    const char *last = work->last_words;
    if (work->late)
        return err_say(why, ERR_INVALID, "prepare has not ended after %s",
                       duration_format(timeout_ms).text);
    if (!work->end.signalled && work->end.code == 0)
        return ERR_OK;
    return err_say(why, ERR_INVALID, "prepare ended with %s %d%s%.*s",
                   work->end.signalled ? "signal" : "status", work->end.code,
                   last == NULL ? "" : "; it said: ", MOST_SAID, last == NULL ? "" : last);
}

static enum err run(const struct client_plan *plan, const struct proc_plan *proc,
                    int64_t timeout_ms, struct err_text *why)
{
    struct work work = {0};
    struct err_text inner;
    struct loop *loop = loop_new();
    struct proc_handlers handlers = {.line = line_came, .ended = ended, .context = &work};
    enum err err = proc_start(loop, proc, handlers, &work.proc, &inner);
    if (err != ERR_OK)
        err_say(why, ERR_INVALID, "prepare: %s %s", plan->prepare[0], inner.text);
    if (err == ERR_OK) {
        loop_after(loop, timeout_ms, late, &work);
        while (!work.over)
            loop_turn(loop);
        err = judge(&work, timeout_ms, why);
    }
    proc_free(work.proc);
    loop_free(loop);
    free(work.last_words);
    return err == ERR_OK ? ERR_OK : ERR_INVALID;
}

enum err prepared_make(const struct client_plan *plan, int64_t timeout_ms,
                       struct prepared *prepared, struct err_text *why)
{
    const char *folder = getenv("TMPDIR");
    if (plan->prepare == NULL)
        return ERR_OK;
    char *directory =
        mem_printf("%s/psp-prepared.XXXXXX", folder == NULL || *folder == '\0' ? "/tmp" : folder);
    if (mkdtemp(directory) == NULL) {
        err_say(why, ERR_IO, "%s cannot be made: %s", directory, strerror(errno));
        free(directory);
        return ERR_IO;
    }
    prepared->directory = realpath(directory, NULL);
    free(directory);
    struct client_values values = {.state = prepared->directory, .host = "127.0.0.1"};
    char **command = client_command(plan->prepare, &values);
    char **environment = client_environment(environ, &values, plan->environment);
    struct proc_plan proc = {
        .argv = command, .environment = environment, .directory = plan->directory};
    enum err err = run(plan, &proc, timeout_ms, why);
    client_list_free(command);
    client_list_free(environment);
    return err;
}

void prepared_release(struct prepared *prepared)
{
    struct box box = {.path = prepared->directory, .mark = -1}; /* nobody has locked it */
    prepared->directory = NULL;
    box_close(&box, 0);
}
