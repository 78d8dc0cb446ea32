#include "examination.h"

#include "box.h"
#include "clock.h"
#include "descriptors.h"
#include "exploration.h"
#include "explore_report.h"
#include "mem.h"
#include "run_client.h"
#include "world.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* For a world alone, and for the parent with so many of them. */
#define DESCRIPTORS         64
#define DESCRIPTORS_A_WORLD 2
#define WORLDS_A_CORE       2 /* worlds wait most of their time */

static const struct {
    const char *name;
    bool good;
} ENDS[] = {
#define EXAMINATION_END_ROW(name, good, what) {#name, good},
    EXAMINATION_END_LIST(EXAMINATION_END_ROW)
#undef EXAMINATION_END_ROW
};

const char *examination_end_name(enum examination_end end)
{
    return ENDS[end].name;
}

bool examination_end_is_good(enum examination_end end)
{
    return ENDS[end].good;
}

/* What is at work while one client is examined. */
struct work {
    struct examination *examination;
    struct examination_view view;
    char **words; /* its command; ends with NULL */
    struct run_client client;
    struct lab *lab;
    struct exploration exploration;
};

static void end(struct examination *examination, enum examination_end how, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void end(struct examination *examination, enum examination_end how, const char *format, ...)
{
    struct buf text = {0};
    va_list args;
    va_start(args, format);
    buf_addv(&text, format, args);
    va_end(args);
    examination->end = how;
    free(examination->why);
    examination->why = buf_take(&text);
}

/* --- its client ------------------------------------------------------------------------------ */

static void split(const char *text, char ***words)
{
    size_t count = 0;
    *words = mem_alloc((strlen(text) + 2) * sizeof **words);
    for (size_t length; *text != '\0'; text += length) {
        length = strcspn(text, " ");
        if (length > 0)
            (*words)[count++] = mem_strndup(text, length);
        length += text[length] == ' ';
    }
}

static bool is_file(const char *word)
{
    size_t length = strlen(word);
    return length > 4 && strcmp(word + length - 4, ".lua") == 0;
}

static enum err find_client(struct work *work, const struct selftest_place *place,
                            const struct selftest_options *options, struct err_text *why)
{
    const struct selftest_case *of = work->examination->of;
    split(of->client, &work->words);
    char *path = work->words[0] == NULL ? NULL : selftest_place_file(place, work->words[0]);
    if (path == NULL)
        return err_say(why, ERR_NOT_FOUND, "there is no such client in %s", place->clients);
    free(work->words[0]);
    work->words[0] = path;
    bool file = is_file(path);
    enum err err = run_client_find(&work->client, file ? path : NULL, file ? NULL : work->words,
                                   "selftest", options->seed, why);
    if (err == ERR_OK)
        err = run_client_prepare(&work->client, of->timeout_ms, why);
    return err;
}

static bool is_batch(const struct work *work)
{
    const struct client_file *read = work->client.read;
    return read != NULL && client_file_plan(read)->shape == CLIENT_BATCH;
}

/* --- exploring it ---------------------------------------------------------------------------- */

static void changed(void *context)
{
    const struct work *work = context;
    size_t played = lab_played(work->lab);
    work->view.show(work->view.context, work->examination->of, played,
                    played + lab_running(work->lab));
}

/* Everything is known of a bad client that was found out, and of a good one that was accused. */
static bool is_enough(void *context, const struct trial *trial)
{
    const struct selftest_case *of = ((const struct work *)context)->examination->of;
    return trial->end == TRIAL_broke &&
           (!of->bad || (trial->invariant == of->breaks && trial->cause == of->cause));
}

static int workers_of(const struct selftest_options *options)
{
    long online = sysconf(_SC_NPROCESSORS_ONLN);
    return options->jobs > 0 ? options->jobs : WORLDS_A_CORE * (online < 1 ? 1 : (int)online);
}

static enum err explore(struct work *work, const struct selftest_options *options,
                        struct err_text *why)
{
    const struct selftest_case *of = work->examination->of;
    int64_t deadline_us = clock_monotonic_us() + options->budget_ms * 1000;
    bool strict = !of->bad || invariant_severity(of->breaks) == WARNS;
    const struct world_options world = {.client = work->client.read,
                                        .command = work->client.command,
                                        .prepared = work->client.prepared.directory,
                                        .seed = options->seed,
                                        .restarts = of->restarts,
                                        .timeout_ms = of->timeout_ms,
                                        .strict = strict,
                                        .without = options->is_without ? 1U << options->without : 0,
                                        .discard = true,
                                        .trace = true,
                                        .may_give_up = true};
    const struct lab_options lab = {.world = &world,
                                    .strict = strict,
                                    .workers = workers_of(options),
                                    .deadline_us = deadline_us,
                                    .most = (size_t)of->most,
                                    .changed = changed,
                                    .enough = is_enough,
                                    .context = work};
    int depth = of->depth > options->depth ? of->depth : options->depth;
    const struct exploration_options exploration = {.space = {.depth = depth,
                                                              .orders = of->orders,
                                                              .seed = options->seed,
                                                              .shard = 1,
                                                              .shards = 1,
                                                              .one_process = is_batch(work)},
                                                    .deadline_us = deadline_us,
                                                    .most = (size_t)of->most};
    enum err err = descriptors_raise(DESCRIPTORS + DESCRIPTORS_A_WORLD * lab.workers, why);
    if (err == ERR_OK)
        err = lab_open(&lab, &work->lab, why);
    if (err == ERR_OK)
        exploration_run(&work->exploration, work->lab, &exploration);
    return err;
}

/* --- what came of it ------------------------------------------------------------------------- */

static const struct bucket *wanted(const struct work *work)
{
    const struct selftest_case *of = work->examination->of;
    const struct bucket_list *found = &work->exploration.found;
    for (size_t i = 0; of->bad && i < found->count; i++)
        if (found->items[i].invariant == of->breaks && found->items[i].cause == of->cause)
            return &found->items[i];
    return NULL;
}

static void tell(struct examination *examination, const struct bucket *bucket)
{
    struct buf text = {0};
    plan_describe(&bucket->shortest, &text);
    examination->schedule = buf_take(&text);
    examination->faults = plan_depth(&bucket->shortest);
    examination->confirmed = bucket->confirmed;
    examination->asked = bucket->asked;
}

static void judge_found(struct examination *examination, const struct bucket *bucket)
{
    tell(examination, bucket);
    examination->end = EXAMINATION_found;
    if (examination->faults > EXAMINATION_MOST_FAULTS)
        end(examination, EXAMINATION_long_story, "its story takes %zu faults", examination->faults);
}

/* Something else was found than what had to be. */
static void judge_wrong(struct examination *examination, const struct bucket_list *found)
{
    struct buf text = {0};
    for (size_t i = 0; i < found->count; i++) {
        const struct bucket *bucket = &found->items[i];
        buf_addf(&text, "%s%s, %s", i == 0 ? "" : "; ", invariant_name(bucket->invariant),
                 cause_words(bucket->cause));
    }
    tell(examination, &found->items[0]);
    if (examination->of->bad)
        end(examination, EXAMINATION_unnoticed, "only something else was found: %s",
            buf_string(&text));
    else
        end(examination, EXAMINATION_accused, "it is said to break %s", buf_string(&text));
    buf_release(&text);
}

static void judge(struct work *work)
{
    struct examination *examination = work->examination;
    struct explore_report report = {.exploration = &work->exploration, .required = -1};
    struct buf why = {0};
    const struct bucket *bucket = wanted(work);
    explore_report_judge(&report, &why);
    const char *said = report.why == NULL ? "" : report.why;
    if (report.verdict == VERDICT_ERROR)
        end(examination, EXAMINATION_error, "%s", said);
    else if (bucket != NULL)
        judge_found(examination, bucket);
    else if (report.verdict == VERDICT_FAIL)
        judge_wrong(examination, &work->exploration.found);
    else if (examination->of->most > 0 && lab_played(work->lab) >= (size_t)examination->of->most)
        end(examination, EXAMINATION_unnoticed, "%d runs were not enough", examination->of->most);
    else if (examination->of->bad && work->exploration.complete)
        end(examination, EXAMINATION_unnoticed, "%s", *said == '\0' ? "nothing breaks it" : said);
    else if (report.verdict == VERDICT_INCONCLUSIVE)
        end(examination, EXAMINATION_unsure, "%s", said);
    else
        examination->end = EXAMINATION_careful;
    if (lab_left_strays(work->lab))
        end(examination, EXAMINATION_error,
            "processes of it could not be ended, and may still run");
    coverage_release(&report.coverage);
    buf_release(&why);
}

void examination_run(struct examination *examination, const struct selftest_case *of,
                     const struct selftest_place *place, const struct selftest_options *options,
                     struct examination_view view)
{
    int64_t began = clock_monotonic_us();
    struct work work = {.examination = examination, .view = view};
    struct err_text why = {0};
    *examination = (struct examination){.of = of};
    enum err err = find_client(&work, place, options, &why);
    if (err == ERR_OK)
        err = explore(&work, options, &why);
    if (err == ERR_OK)
        judge(&work);
    else
        end(examination, EXAMINATION_error, "%s", why.text);
    if (work.lab != NULL) {
        examination->played = lab_played(work.lab);
        examination->interrupted = lab_signal(work.lab) != 0;
    }
    examination->took_ms = (clock_monotonic_us() - began) / 1000;
    exploration_release(&work.exploration);
    lab_close(work.lab);
    run_client_release(&work.client);
    for (char **word = work.words; word != NULL && *word != NULL; word++)
        free(*word);
    free(work.words);
}

void examination_release(struct examination *examination)
{
    free(examination->why);
    free(examination->schedule);
    *examination = (struct examination){0};
}
