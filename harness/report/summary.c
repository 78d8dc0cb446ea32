#include "summary.h"

#include "check.h"
#include "path.h"
#include "printable.h"
#include "story.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* How each verdict reads: as a mark, in colour, and in a sum. */
static const struct {
    const char *mark;
    const char *colour;
    const char *sum;
} LOOKS[] = {
    [VERDICT_PASS] = {"pass", "\033[32m", "passed"},
    [VERDICT_INCONCLUSIVE] = {"INCONCLUSIVE", "\033[33m", "inconclusive"},
    [VERDICT_FAIL] = {"FAIL", "\033[31m", "failed"},
    [VERDICT_BROKEN] = {"BROKEN", "\033[35m", "broken"},
    [VERDICT_ERROR] = {"ERROR", "\033[35m", "ended by an error of the harness"},
};

_Static_assert(sizeof LOOKS / sizeof LOOKS[0] == VERDICT_COUNT, "every verdict has its looks");

void totals_add(struct totals *totals, enum verdict verdict)
{
    CHECK((unsigned)verdict < VERDICT_COUNT);
    totals->of[verdict]++;
}

int totals_status(const struct totals *totals)
{
    for (int i = VERDICT_COUNT - 1; i >= 0; i--)
        if (totals->of[i] > 0)
            return verdict_status((enum verdict)i);
    return verdict_status(VERDICT_INCONCLUSIVE);
}

static void add_stem(const char *file, struct buf *out)
{
    char *stem = path_stem(file);
    struct buf shown = {0};
    printable_add(&shown, stem, strlen(stem), "");
    buf_addf(out, "%-34s", buf_string(&shown));
    buf_release(&shown);
    free(stem);
}

static void add_violated(const struct result *result, enum severity severity, char open, char close,
                         struct buf *out)
{
    bool any = false;
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        const struct finding *finding = findings_of(&result->findings, (enum invariant)i);
        if (finding == NULL || !finding->violated ||
            invariant_severity((enum invariant)i) != severity)
            continue;
        if (any)
            buf_add_string(out, ", ");
        else
            buf_addf(out, "  %c", open);
        buf_add_string(out, invariant_name((enum invariant)i));
        any = true;
    }
    if (any)
        buf_add_char(out, close);
}

void summary_line(const struct result *result, bool colour, struct buf *out)
{
    if (colour)
        buf_add_string(out, LOOKS[result->verdict].colour);
    buf_addf(out, "%-12s", LOOKS[result->verdict].mark);
    if (colour)
        buf_add_string(out, "\033[0m");
    buf_add_string(out, "  ");
    add_stem(result->file == NULL ? "?" : result->file, out);
    if (result->dialect != NULL)
        buf_addf(out, "  %-15s", result->dialect);
    buf_add_string(out, "  ");
    if (result->title != NULL)
        printable_add(out, result->title, strlen(result->title), "");
    add_violated(result, FAILS, '[', ']', out);
    add_violated(result, WARNS, '(', ')', out);
    buf_add_char(out, '\n');
}

/* What has a story: where something failed, the first of its kind and the worst; under --strict,
 * what only warns as well. */
static bool has_story(const struct findings *findings, const struct finding *finding)
{
    return finding->violated &&
           (finding == findings_of(findings, finding->invariant) ||
            finding == findings_worst(findings, finding->invariant)) &&
           (invariant_severity(finding->invariant) == FAILS ||
            findings_first_violation(findings) == NULL);
}

/* The orders that something is wrong with, each once; the whole run where no order is named. */
static void add_stories(const struct result *result, struct buf *out)
{
    const struct findings *findings = &result->findings;
    if (result->story != NULL)
        buf_addf(out, "\n  the story\n%s", result->story);
    for (size_t i = 0; i < findings->count && result->story == NULL; i++) {
        const struct finding *finding = &findings->items[i];
        bool told = !has_story(findings, finding);
        for (size_t j = 0; j < i && !told; j++) {
            const char *other = findings->items[j].order;
            told = has_story(findings, &findings->items[j]) &&
                   (finding->order == NULL ? other == NULL
                                           : other != NULL && strcmp(other, finding->order) == 0);
        }
        if (told)
            continue;
        const struct order *order = orders_find(&result->orders, finding->order);
        if (order == NULL)
            buf_add_string(out, "\n  the story of the run\n");
        else
            buf_addf(out, "\n  the story of %s, %" PRId64 " %s\n", order->id, order->amount,
                     order->currency);
        story_tell(result, finding->order, out);
    }
}

/* What the client has to mend, each cause once. */
static void add_causes(const struct findings *findings, struct buf *out)
{
    bool told[CAUSE_COUNT] = {[CAUSE_unknown] = true};
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        if (!finding->violated || told[finding->cause])
            continue;
        told[finding->cause] = true;
        buf_addf(out, "  cause: %s\n", cause_words(finding->cause));
    }
}

/* What a client sent and said is told as well: TEXT, which is released, goes to a terminal. */
static void add_printable(struct buf *text, struct buf *out)
{
    printable_add(out, buf_string(text), text->len, "\n\t");
    buf_release(text);
}

static bool has_cause(const struct result *result, enum cause cause)
{
    for (size_t i = 0; result->verdict == VERDICT_FAIL && i < result->findings.count; i++)
        if (result->findings.items[i].violated && result->findings.items[i].cause == cause)
            return true;
    return false;
}

void summary_causes(const struct result *const *results, size_t count, const char *unit,
                    struct buf *out)
{
    struct buf text = {0};
    size_t failed = 0;
    for (size_t i = 0; i < count; i++)
        failed += results[i]->verdict == VERDICT_FAIL;
    const char *title = "\nwhat the client has to mend\n";
    for (int cause = CAUSE_unknown + 1; cause < CAUSE_COUNT && failed > 1; cause++) {
        size_t times = 0;
        const struct result *first = NULL;
        for (size_t i = 0; i < count; i++) {
            if (!has_cause(results[i], (enum cause)cause))
                continue;
            first = first == NULL ? results[i] : first;
            times++;
        }
        if (first == NULL)
            continue;
        buf_addf(&text, "%s  %s, in %zu %s%s (%s)\n", title, cause_words((enum cause)cause), times,
                 unit, times == 1 ? "" : "s", first->file == NULL ? "?" : first->file);
        title = "";
    }
    add_printable(&text, out);
}

static const struct finding *find_warning(const struct result *result, enum invariant invariant)
{
    const struct finding *finding = findings_of(&result->findings, invariant);
    return finding != NULL && finding->violated && invariant_severity(invariant) == WARNS ? finding
                                                                                          : NULL;
}

static void add_warnings(const struct result *const *results, size_t count, const char *unit,
                         struct buf *out)
{
    bool any = false;
    for (int i = 0; i < INVARIANT_COUNT; i++) {
        size_t times = 0;
        const struct result *first = NULL;
        for (size_t j = 0; j < count; j++) {
            if (find_warning(results[j], (enum invariant)i) == NULL)
                continue;
            first = first == NULL ? results[j] : first;
            times++;
        }
        if (first == NULL)
            continue;
        buf_addf(out,
                 "%s  %s, in %zu %s%s: ", any ? "" : "\nwarnings (--strict makes them failures)\n",
                 invariant_name((enum invariant)i), times, unit, times == 1 ? "" : "s");
        buf_addf(out, "%s (%s)\n", find_warning(first, (enum invariant)i)->sentence,
                 first->file == NULL ? "?" : first->file);
        any = true;
    }
}

/* How many of the COUNT results have NOTE. */
static size_t with_note(const struct result *const *results, size_t count, const char *note)
{
    size_t times = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < results[i]->reason_count; j++)
            times += strcmp(results[i]->reasons[j].text, note) == 0;
    return times;
}

/* Each one once. */
static void add_notes(const struct result *const *results, size_t count, const char *unit,
                      struct buf *out)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t j = 0; j < results[i]->reason_count; j++) {
            const struct reason *reason = &results[i]->reasons[j];
            if (!reason_is_note(reason) || with_note(results, i, reason->text) > 0)
                continue;
            size_t times = with_note(results, count, reason->text);
            buf_addf(out, "\n%s (in %zu %s%s)\n", reason->text, times, unit, times == 1 ? "" : "s");
        }
    }
}

void summary_warnings(const struct result *const *results, size_t count, const char *unit,
                      struct buf *out)
{
    struct buf text = {0};
    add_warnings(results, count, unit, &text);
    add_notes(results, count, unit, &text);
    add_printable(&text, out);
}

static void add_details(const struct result *result, const char *replay, struct buf *out)
{
    buf_addf(out, "\n%s  %s%s%s\n", LOOKS[result->verdict].mark,
             result->file == NULL ? "?" : result->file, result->dialect == NULL ? "" : ", dialect ",
             result->dialect == NULL ? "" : result->dialect);
    for (size_t i = 0; i < result->reason_count; i++)
        if (result->reasons[i].verdict == result->verdict)
            buf_addf(out, "  %s\n", result->reasons[i].text);
    for (size_t i = 0; i < result->reason_count; i++)
        if (result->reasons[i].verdict != result->verdict &&
            result->reasons[i].verdict != VERDICT_PASS)
            buf_addf(out, "  also: %s\n", result->reasons[i].text);
    add_causes(&result->findings, out);
    add_stories(result, out);
    buf_add_char(out, '\n');
    if (result->box != NULL)
        buf_addf(out, "  box:    %s\n", result->box);
    buf_addf(out, "  replay: %s\n", replay);
}

void summary_details(const struct result *result, const char *replay, struct buf *out)
{
    struct buf text = {0};
    if (result->verdict == VERDICT_PASS && result->box == NULL)
        return;
    add_details(result, replay, &text);
    add_printable(&text, out);
}

void summary_totals(const struct totals *totals, const char *unit, int64_t took_ms, struct buf *out)
{
    static const enum verdict order[] = {VERDICT_PASS, VERDICT_FAIL, VERDICT_INCONCLUSIVE,
                                         VERDICT_BROKEN, VERDICT_ERROR};
    size_t sum = 0;
    for (int i = 0; i < VERDICT_COUNT; i++)
        sum += totals->of[i];
    buf_addf(out, "\n%zu %s%s:", sum, unit, sum == 1 ? "" : "s");
    const char *before = " ";
    for (size_t i = 0; i < VERDICT_COUNT; i++) {
        if (totals->of[order[i]] == 0)
            continue;
        buf_addf(out, "%s%zu %s", before, totals->of[order[i]], LOOKS[order[i]].sum);
        before = ", ";
    }
    buf_addf(out, " (%" PRId64 ".%" PRId64 " s)\n", took_ms / 1000, took_ms / 100 % 10);
}
