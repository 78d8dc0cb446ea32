/* The verdict of an exploration. What was not tried is no pass. */
#include "explore_report.h"

static void unsound(const struct exploration *exploration, struct buf *why)
{
    const struct trial *root = exploration->space.nodes[0].trial;
    if (root == NULL)
        buf_add_string(why, "there was no time for the run in which nothing goes wrong");
    else
        buf_addf(why,
                 "the run in which nothing goes wrong has to pass before anything can be explored, "
                 "and it is %s: %s",
                 trial_end_name(root->end), root->why == NULL ? "" : root->why);
}

static void unsure(const struct exploration *exploration, enum trial_end end, struct buf *why)
{
    const struct node *node = exploration_first(exploration, end);
    size_t count = exploration_count(exploration, end);
    buf_addf(why, "%zu schedule%s could not be judged; the first, \"", count,
             count == 1 ? "" : "s");
    plan_describe(&node->plan, why);
    buf_addf(why, "\": %s", node->trial->why == NULL ? "" : node->trial->why);
}

static bool lacks_coverage(const struct explore_report *report, struct buf *why)
{
    int percent = coverage_percent(&report->coverage);
    const struct exploration *exploration = report->exploration;
    size_t left = exploration_count(exploration, TRIAL_not_run);
    if (report->required >= 0 && percent < report->required)
        buf_addf(why, "%d percent of the space was tried, and %d are required", percent,
                 report->required);
    else if (report->required < 0 && !exploration->complete && !exploration->options.random)
        buf_addf(
            why,
            "the space was not explored in full to depth %d: %zu schedules that are known were "
            "not tried (a longer --budget, or --require-coverage for what is enough)",
            exploration->options.space.depth, left);
    return why->len > 0;
}

void explore_report_judge(struct explore_report *report, struct buf *why)
{
    const struct exploration *exploration = report->exploration;
    const struct trial *root = exploration->space.nodes[0].trial;
    bool trouble = lab_trouble(exploration->lab) != NULL;
    report->verdict = VERDICT_PASS;
    report->coverage = coverage_of(&exploration->space);
    if (trouble) {
        buf_add_string(why, lab_trouble(exploration->lab));
        report->verdict = VERDICT_ERROR;
    } else if (exploration->found.count > 0) {
        report->verdict = VERDICT_FAIL;
    } else if (root == NULL || root->end != TRIAL_survived) {
        unsound(exploration, why);
        report->verdict =
            root != NULL && root->end == TRIAL_error ? VERDICT_ERROR : VERDICT_INCONCLUSIVE;
    } else if (exploration_count(exploration, TRIAL_error) > 0) {
        unsure(exploration, TRIAL_error, why);
        report->verdict = VERDICT_ERROR;
    } else if (lab_signal(exploration->lab) != 0) {
        buf_add_string(why, "interrupted: what is here was tried, the rest was not");
        report->verdict = VERDICT_INCONCLUSIVE;
    } else if (lacks_coverage(report, why)) {
        report->verdict = VERDICT_INCONCLUSIVE;
    } else if (exploration_count(exploration, TRIAL_unsure) > 0) {
        unsure(exploration, TRIAL_unsure, why);
        report->verdict = VERDICT_INCONCLUSIVE;
    }
    report->why = why->len == 0 ? NULL : buf_string(why);
}
