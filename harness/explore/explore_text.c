/* An exploration on a terminal. */
#include "explore_report.h"

#include "printable.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static void add_space(const struct explore_report *report, struct buf *out)
{
    const struct exploration *exploration = report->exploration;
    const struct space *space = &exploration->space;
    for (size_t level = 0; level < space->level_count; level++) {
        size_t end = level + 1 < space->level_count ? space->levels[level + 1] : space->count;
        size_t played = 0;
        size_t skipped = 0;
        for (size_t i = space->levels[level]; i < end; i++) {
            played += space->nodes[i].trial != NULL;
            skipped += space->nodes[i].role == NODE_SKIPPED;
        }
        buf_addf(out, "  depth %zu: %zu schedule%s played", level, played, played == 1 ? "" : "s");
        if (skipped > 0)
            buf_addf(out, ", %zu skipped", skipped);
        if (end - space->levels[level] > played + skipped)
            buf_addf(out, ", %zu not tried", end - space->levels[level] - played - skipped);
        buf_add_char(out, '\n');
    }
    size_t missed = exploration_count(exploration, TRIAL_missed);
    if (missed > 0)
        buf_addf(out, "  %zu did not strike: the client did not come there again\n", missed);
    if (exploration->walks.walks > 0)
        buf_addf(out, "  at random: %zu walks, %zu steps, %zu deep at most\n",
                 exploration->walks.walks, exploration->walks.steps, exploration->walks.deepest);
    if (space->options.shards > 1 && !space->options.every)
        buf_addf(out, "  this is part %d of %d of it (psp-harness merge joins them)\n",
                 space->options.shard, space->options.shards);
}

static void add_trust(const struct space *space, struct buf *out)
{
    if (space->unlike != NULL)
        buf_addf(out, "  nothing is skipped any more: what should have been alike was not. %s\n",
                 space->unlike);
    else if (space->samples > 0)
        buf_addf(out,
                 "  of what is like something that was played, %zu were played all the same: all "
                 "came out alike\n",
                 space->samples);
    if (space->wandering > 0)
        buf_addf(
            out,
            "  the client wanders: %zu of %zu schedules that were played twice came out in two "
            "ways.\n    %s\n",
            space->wandering, space->checked, space->wanders);
    else if (space->checked > 0)
        buf_addf(out, "  %zu schedules were played twice: each time the same happened\n",
                 space->checked);
}

static void add_finding(const struct explore_report *report, size_t number, struct buf *out)
{
    const struct bucket *bucket = &report->exploration->found.items[number];
    char *name = bucket_name(bucket);
    buf_addf(out, "\n%zu. %s: %s\n", number + 1, invariant_name(bucket->invariant),
             invariant_demands(bucket->invariant));
    buf_addf(out, "  cause:     %s\n", cause_words(bucket->cause));
    buf_addf(out, "  where:     %s, %zu schedule%s lead%s here\n", bucket->place, bucket->schedules,
             bucket->schedules == 1 ? "" : "s", bucket->schedules == 1 ? "s" : "");
    buf_add_string(out, "  shortest:  ");
    plan_describe(&bucket->shortest, out);
    buf_addf(out, "\n  confirmed: %d of %d more times\n", bucket->confirmed, bucket->asked);
    if (bucket->trial != NULL && bucket->trial->why != NULL)
        buf_addf(out, "  %s\n\n%s\n", bucket->trial->why, bucket->trial->story);
    if (bucket->written)
        buf_addf(out, "  file:   %s/%s.lua\n  replay: %s%s/%s.lua%s\n", report->directory, name,
                 report->before, report->directory, name, report->after);
    free(name);
}

static void add_moves(const struct coverage *coverage, size_t begin, size_t end,
                      enum cell_state state, struct buf *out)
{
    size_t count = 0;
    for (size_t i = begin; i < end; i++)
        count += coverage->cells[i].state == state;
    if (count == 0)
        return;
    buf_addf(out, "    %2zu %s", count, cell_state_what(state));
    bool listed = state == CELL_broke || state == CELL_unsure || state == CELL_not_tried;
    const char *before = ": ";
    for (size_t i = begin; i < end && listed; i++) {
        if (coverage->cells[i].state != state)
            continue;
        buf_addf(out, "%s%s", before, move_name(coverage->cells[i].move));
        before = ", ";
    }
    buf_add_char(out, '\n');
}

/* The end of the cells of one request, from BEGIN on. */
static size_t end_of(const struct coverage *coverage, size_t begin)
{
    const struct cell *first = &coverage->cells[begin];
    size_t end = begin;
    while (end < coverage->count && coverage->cells[end].attempt == first->attempt &&
           strcmp(coverage->cells[end].on, first->on) == 0)
        end++;
    return end;
}

/* What came of the moves at the request from OTHER on is the same as at that from BEGIN to END. */
static bool is_like(const struct coverage *coverage, size_t begin, size_t end, size_t other)
{
    if (other == coverage->count ||
        strcmp(coverage->cells[begin].on, coverage->cells[other].on) != 0 ||
        end_of(coverage, other) - other != end - begin)
        return false;
    for (size_t i = begin; i < end; i++) {
        const struct cell *like = &coverage->cells[other + i - begin];
        if (like->move != coverage->cells[i].move || like->state != coverage->cells[i].state)
            return false;
    }
    return true;
}

static void add_coverage(const struct coverage *coverage, struct buf *out)
{
    size_t begin = 0;
    if (coverage->count > 0)
        buf_addf(out, "\ncoverage, %d percent of what can strike\n", coverage_percent(coverage));
    while (begin < coverage->count) {
        size_t end = end_of(coverage, begin);
        size_t last = begin;
        size_t next = end;
        while (is_like(coverage, begin, end, next)) {
            last = next;
            next = end_of(coverage, next);
        }
        buf_addf(out, "  %s, attempt %d", coverage->cells[begin].on,
                 coverage->cells[begin].attempt);
        if (last != begin)
            buf_addf(out, " to %d", coverage->cells[last].attempt);
        buf_add_char(out, '\n');
        for (int state = 0; state < CELL_STATE_COUNT; state++)
            add_moves(coverage, begin, end, (enum cell_state)state, out);
        begin = next;
    }
}

static void add_verdict(const struct explore_report *report, struct buf *out)
{
    const struct exploration *exploration = report->exploration;
    size_t found = exploration->found.count;
    if (report->verdict == VERDICT_FAIL)
        buf_addf(out, "\nFAIL  %zu way%s to break it", found, found == 1 ? "" : "s");
    else if (report->verdict == VERDICT_PASS)
        buf_addf(out, "\npass  nothing %sbreaks it",
                 exploration->complete ? "in this space " : "of what was tried ");
    else
        buf_addf(out, "\n%s  %s",
                 report->verdict == VERDICT_INCONCLUSIVE ? "INCONCLUSIVE" : "ERROR", report->why);
    buf_addf(out, " (%zu runs, %" PRId64 ".%" PRId64 " s)\n", lab_played(exploration->lab),
             exploration->took_ms / 1000, exploration->took_ms / 100 % 10);
    if (report->again != NULL)
        buf_addf(out, "  again: %s\n", report->again);
}

void explore_report_text(const struct explore_report *report, struct buf *out)
{
    struct buf text = {0};
    buf_addf(&text, "the space, to depth %d\n", report->exploration->options.space.depth);
    add_space(report, &text);
    add_trust(&report->exploration->space, &text);
    add_coverage(&report->coverage, &text);
    for (size_t i = 0; i < report->exploration->found.count; i++)
        add_finding(report, i, &text);
    add_verdict(report, &text);
    printable_add(out, buf_string(&text), text.len, "\n\t");
    buf_release(&text);
}
