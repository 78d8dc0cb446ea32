#include "lab.h"

#include "box.h"
#include "clock.h"
#include "crew.h"
#include "interrupt.h"
#include "mem.h"
#include "memory.h"
#include "output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define AT_ONCE 256 /* whose scenarios are written at a time */

struct lab {
    struct lab_options options;
    struct memory *memory;
    struct box box; /* for the scenarios that are being played */
    size_t played;
    struct lab_clients clients;
    size_t running;
    int signal;
    bool enough;
    bool strays;
};

enum err lab_open(const struct lab_options *options, struct lab **lab, struct err_text *why)
{
    struct box box = {0};
    enum err err = options->world == NULL ? ERR_OK : box_open(&box, why);
    *lab = NULL;
    if (err != ERR_OK)
        return err;
    *lab = mem_alloc(sizeof **lab);
    **lab = (struct lab){.options = *options, .memory = memory_new(), .box = box};
    if (options->world != NULL)
        interrupt_hold(); /* between two batches, what is known is still to be told */
    return ERR_OK;
}

void lab_close(struct lab *lab)
{
    if (lab == NULL)
        return;
    box_close(&lab->box, false);
    memory_free(lab->memory);
    free(lab);
}

enum err lab_remember(struct lab *lab, const char *file, struct json *setup, bool again,
                      struct err_text *why)
{
    return memory_keep(lab->memory, file, setup, again, why);
}

enum err lab_recall(struct lab *lab, const char *file, struct json **setup, struct err_text *why)
{
    return memory_read(lab->memory, file, setup, why);
}

/* --- playing --------------------------------------------------------------------------------- */

/* One question while it is played. */
struct play {
    const struct trial_question *question;
    char *file;
};

/* A batch of them. */
struct batch {
    struct lab *lab;
    struct play *plays;
    struct crew_job *jobs;
};

static enum err write_scenario(const struct lab *lab, struct play *play, struct err_text *why)
{
    const struct trial_question *question = play->question;
    struct buf title = {0};
    struct buf text = {0};
    play->file = mem_printf("%s/%s_%d_%d.lua", lab->box.path, plan_name(question->plan).text,
                            question->orders, question->turn);
    plan_describe(question->plan, &title);
    plan_scenario(question->plan, buf_string(&title), question->orders, &text);
    enum err err = output_write(play->file, &text, why);
    buf_release(&title);
    buf_release(&text);
    return err;
}

static void finished(void *context, struct crew_job *job)
{
    struct batch *batch = context;
    struct lab *lab = batch->lab;
    const struct play *play = &batch->plays[job - batch->jobs];
    struct trial trial;
    trial_judge(play->question->plan, &job->result, lab->options.strict, &trial);
    if (!play->question->whole)
        mem_set_string(&trial.canonical, NULL);
    const struct lab_options *options = &lab->options;
    if (options->enough != NULL && options->enough(options->context, &trial))
        lab->enough = true;
    memory_add(lab->memory, play->question, trial);
    lab->played++;
    lab->clients.runs += job->result.client_runs;
    lab->clients.us += job->result.client_us;
    lab->running--;
    result_release(&job->result);
}

static void changed(void *context)
{
    const struct batch *batch = context;
    if (batch->lab->options.changed != NULL)
        batch->lab->options.changed(batch->lab->options.context);
}

/* What it may take; a signal is another matter, and the crew's own while one is at work. */
static bool is_spent(const struct lab *lab)
{
    const struct lab_options *options = &lab->options;
    return lab->enough || (options->most > 0 && lab->played >= options->most) ||
           (options->deadline_us > 0 && clock_monotonic_us() >= options->deadline_us);
}

static bool enough(void *context)
{
    const struct batch *batch = context;
    return is_spent(batch->lab);
}

void lab_allow(struct lab *lab, int64_t deadline_us, size_t most)
{
    lab->options.deadline_us = deadline_us;
    lab->options.most = most;
    lab->options.enough = NULL;
    lab->enough = false;
}

bool lab_is_out_of_time(struct lab *lab)
{
    if (lab->signal == 0 && lab->options.world != NULL)
        lab->signal = interrupt_taken();
    return lab->signal != 0 || is_spent(lab);
}

static void play_batch(struct batch *batch, size_t count)
{
    struct lab *lab = batch->lab;
    const struct crew_options options = {.world = lab->options.world,
                                         .workers = lab->options.workers,
                                         .finished = finished,
                                         .changed = changed,
                                         .enough = enough,
                                         .context = batch};
    bool clean;
    lab->signal = crew_run(batch->jobs, count, &options, &clean);
    lab->strays = lab->strays || !clean;
}

/* As many of QUESTIONS as there is time for. */
static void play(struct lab *lab, const struct trial_question *const *questions, size_t count)
{
    struct batch batch = {.lab = lab,
                          .plays = mem_alloc(count * sizeof *batch.plays),
                          .jobs = mem_alloc(count * sizeof *batch.jobs)};
    struct err_text why = {0};
    size_t written = 0;
    enum err err = ERR_OK;
    if (lab->options.most > 0 && count > lab->options.most - lab->played)
        count = lab->options.most - lab->played;
    for (; written < count && err == ERR_OK; written++) {
        batch.plays[written].question = questions[written];
        err = write_scenario(lab, &batch.plays[written], &why);
        batch.jobs[written].file = batch.plays[written].file;
    }
    if (err == ERR_OK)
        play_batch(&batch, count);
    else
        memory_trouble(lab->memory, why.text);
    for (size_t i = 0; i < written; i++) {
        unlink(batch.plays[i].file);
        free(batch.plays[i].file);
        result_release(&batch.jobs[i].result);
    }
    free(batch.plays);
    free(batch.jobs);
}

void lab_ask(struct lab *lab, const struct trial_question *questions, size_t count,
             const struct trial **answers)
{
    const struct trial_question **open = mem_alloc(count * sizeof *open);
    size_t opened = 0;
    for (size_t i = 0; i < count; i++)
        if (memory_find(lab->memory, &questions[i]) == NULL)
            open[opened++] = &questions[i];
    lab->running = opened;
    bool plays = lab->options.world != NULL;
    for (size_t i = 0; plays && i < opened && !lab_is_out_of_time(lab) && lab_trouble(lab) == NULL;
         i += AT_ONCE)
        play(lab, &open[i], opened - i < AT_ONCE ? opened - i : AT_ONCE);
    lab->running = 0;
    for (size_t i = 0; i < count; i++)
        answers[i] = memory_find(lab->memory, &questions[i]);
    free(open);
}

size_t lab_played(const struct lab *lab)
{
    return lab->played;
}

struct lab_clients lab_clients(const struct lab *lab)
{
    return lab->clients;
}

size_t lab_running(const struct lab *lab)
{
    return lab->running;
}

int lab_signal(const struct lab *lab)
{
    return lab->signal;
}

bool lab_left_strays(const struct lab *lab)
{
    return lab->strays;
}

const char *lab_trouble(const struct lab *lab)
{
    return memory_error(lab->memory);
}
