/* An exploration for a pipeline, as the formats of run have it: an entry per finding, and one for
 * the space as a whole. */
#include "explore_report.h"

#include "formats.h"
#include "mem.h"

#include <stdlib.h>

struct pipeline {
    struct result *results; /* COUNT of them */
    struct report_entry *entries;
    char **replays;
    size_t count;
    struct report report;
};

static void add_finding(const struct explore_report *report, const struct bucket *bucket,
                        struct result *result, char **replay)
{
    struct buf title = {0};
    struct findings findings = {0};
    char *name = bucket_name(bucket);
    const char *why = bucket->trial == NULL || bucket->trial->why == NULL ? "" : bucket->trial->why;
    plan_describe(&bucket->shortest, &title);
    result->file =
        mem_printf("%s/%s.lua", report->directory == NULL ? "." : report->directory, name);
    result->title = buf_take(&title);
    result->story = mem_strdup(bucket->trial == NULL ? NULL : bucket->trial->story);
    findings_violated(&findings, bucket->invariant, NULL, NULL, "%s: %s",
                      cause_words(bucket->cause), why);
    findings_blame(&findings, bucket->cause);
    result_add_findings(result, findings, true);
    *replay = mem_printf("%s%s%s", report->before, result->file, report->after);
    free(name);
}

static void open_pipeline(const struct explore_report *report, struct pipeline *pipeline)
{
    const struct exploration *exploration = report->exploration;
    size_t found = exploration->found.count;
    *pipeline = (struct pipeline){.count = found + 1};
    pipeline->results = mem_alloc(pipeline->count * sizeof *pipeline->results);
    pipeline->entries = mem_alloc(pipeline->count * sizeof *pipeline->entries);
    pipeline->replays = mem_alloc(pipeline->count * sizeof *pipeline->replays);
    for (size_t i = 0; i < found; i++)
        add_finding(report, &exploration->found.items[i], &pipeline->results[i],
                    &pipeline->replays[i]);
    struct result *space = &pipeline->results[found];
    space->file = mem_strdup("the space");
    space->title =
        mem_printf("every schedule to depth %d, %d percent of what can strike",
                   exploration->options.space.depth, coverage_percent(&report->coverage));
    if (report->why != NULL)
        result_add(space, report->verdict, "%s", report->why);
    pipeline->replays[found] = mem_strdup(report->again == NULL ? "" : report->again);
    pipeline->report = (struct report){.entries = pipeline->entries,
                                       .count = pipeline->count,
                                       .seed = exploration->options.space.seed,
                                       .took_ms = exploration->took_ms,
                                       .unit = "result"};
    for (size_t i = 0; i < pipeline->count; i++) {
        pipeline->entries[i] = (struct report_entry){&pipeline->results[i], pipeline->replays[i]};
        totals_add(&pipeline->report.totals, pipeline->results[i].verdict);
    }
}

static void close_pipeline(struct pipeline *pipeline)
{
    for (size_t i = 0; i < pipeline->count; i++) {
        result_release(&pipeline->results[i]);
        free(pipeline->replays[i]);
    }
    free(pipeline->results);
    free(pipeline->entries);
    free(pipeline->replays);
}

static void write_as(const struct explore_report *report,
                     void (*write)(const struct report *report, struct buf *out), struct buf *out)
{
    struct pipeline pipeline;
    open_pipeline(report, &pipeline);
    write(&pipeline.report, out);
    close_pipeline(&pipeline);
}

void explore_report_tap(const struct explore_report *report, struct buf *out)
{
    write_as(report, report_tap, out);
}

void explore_report_github(const struct explore_report *report, struct buf *out)
{
    explore_report_text(report, out);
    write_as(report, report_github, out);
}

void explore_report_markdown(const struct explore_report *report, struct buf *out)
{
    write_as(report, report_markdown, out);
}
