#include "trial.h"

#include "buf.h"
#include "by_hand.h"
#include "canonical.h"
#include "continuation.h"
#include "mem.h"
#include "story.h"

#include <stdlib.h>
#include <string.h>

static const char *const NAMES[] = {
#define TRIAL_END_NAME(name, what) #name,
    TRIAL_END_LIST(TRIAL_END_NAME)
#undef TRIAL_END_NAME
};

const char *trial_end_name(enum trial_end end)
{
    return NAMES[end];
}

/* What failed first; with STRICT what only warns, when nothing else did. */
static const struct finding *violation(const struct result *result, bool strict)
{
    const struct finding *first = findings_first_violation(&result->findings);
    for (size_t i = 0; first == NULL && strict && i < result->findings.count; i++)
        if (result->findings.items[i].violated)
            return &result->findings.items[i];
    return first;
}

/* The first choice whose moment never came. */
static const struct choice *missed(const struct plan *plan, const struct trace *trace)
{
    for (size_t i = 0; i < plan->count; i++) {
        bool came = false;
        for (size_t j = 0; j < trace->count && !came; j++)
            came = choice_is_at(&plan->choices[i], &trace->items[j]);
        if (!came)
            return &plan->choices[i];
    }
    return NULL;
}

static void broke(const struct result *result, const struct finding *finding, struct trial *trial)
{
    struct buf story = {0};
    struct buf by_hand = {0};
    trial->end = TRIAL_broke;
    trial->invariant = finding->invariant;
    trial->cause = finding->cause;
    trial->why = mem_strdup(finding->sentence);
    story_tell_again(result, finding->order, &story);
    by_hand_tell(trial->canonical, &by_hand);
    trial->story = buf_take(&story);
    trial->by_hand = buf_take(&by_hand);
}

/* The order that was never charged, of a run in which nothing goes wrong: then there is nothing to
 * explore. (Where something does, giving an order up may be right.) */
static const char *unpaid(const struct plan *plan, const struct result *result)
{
    for (size_t i = 0; plan_depth(plan) == 0 && i < result->orders.count; i++)
        if (history_next_charge(&result->history, NULL, result->orders.items[i].id) == NULL)
            return result->orders.items[i].id;
    return NULL;
}

void trial_judge(const struct plan *plan, const struct result *result, bool strict,
                 struct trial *trial)
{
    struct buf text = {0};
    const struct finding *finding = violation(result, strict);
    const struct choice *choice = missed(plan, &result->trace);
    *trial = (struct trial){0};
    canonical_print(&result->history, &text);
    trial->canonical = buf_take(&text);
    struct json *trace = trace_to_json(&result->trace);
    if (trace_from_json(trace, &trial->trace) != ERR_OK)
        trial->trace = (struct trace){0};
    json_free(trace);
    size_t reached = plan->count == 0 ? trial->trace.count : plan_reached(plan, &trial->trace);
    trial->signature = continuation_of(trial->canonical, &trial->trace, reached);
    if (result->verdict > VERDICT_FAIL) {
        trial->end = TRIAL_error;
        trial->why = mem_strdup(result_reason(result));
    } else if (finding != NULL) {
        broke(result, finding, trial);
    } else if (choice != NULL) {
        choice_describe(choice, &text);
        trial->end = TRIAL_missed;
        trial->why = buf_take(&text);
    } else if (result->verdict != VERDICT_PASS) {
        trial->end = TRIAL_unsure;
        trial->why = mem_strdup(result_reason(result));
    } else if (unpaid(plan, result) != NULL) {
        trial->end = TRIAL_unsure;
        trial->why =
            mem_printf("%s was never charged, although nothing went wrong", unpaid(plan, result));
    } else {
        trial->end = TRIAL_survived;
    }
}

/* The first line in which A and B differ, of each. */
static void add_difference(const char *a, const char *b, struct buf *out)
{
    int line = 1;
    while (*a != '\0' && strncmp(a, b, strcspn(a, "\n") + 1) == 0) {
        size_t length = strcspn(a, "\n");
        length += a[length] == '\n';
        a += length;
        b += length;
        line++;
    }
    buf_addf(out, "event %d is once %.*s and once %.*s", line,
             *a == '\0' ? 7 : (int)strcspn(a, "\n"), *a == '\0' ? "the end" : a,
             *b == '\0' ? 7 : (int)strcspn(b, "\n"), *b == '\0' ? "the end" : b);
}

/* What is compared of a history. */
static char *comparable(const char *canonical)
{
    struct buf text = {0};
    while (*canonical != '\0') {
        size_t length = strcspn(canonical, "\n");
        length += canonical[length] == '\n';
        if (!continuation_skips(canonical))
            buf_add(&text, canonical, length);
        canonical += length;
    }
    return buf_take(&text);
}

static void compare_histories(const char *one, const char *other, struct buf *out)
{
    char *a = comparable(one);
    char *b = comparable(other);
    if (strcmp(a, b) != 0)
        add_difference(a, b, out);
    free(a);
    free(b);
}

void trial_compare(const struct trial *one, const struct trial *other, struct buf *out)
{
    if (one->end != other->end)
        buf_addf(out, "it came once to \"%s\" and once to \"%s\"", trial_end_name(one->end),
                 trial_end_name(other->end));
    else if (one->canonical != NULL && other->canonical != NULL)
        compare_histories(one->canonical, other->canonical, out);
}

struct json *trial_to_json(const struct trial *trial)
{
    struct json *json = json_object();
    json_set_string(json, "end", trial_end_name(trial->end));
    if (trial->end == TRIAL_broke) {
        json_set_string(json, "invariant", invariant_name(trial->invariant));
        json_set_string(json, "cause", cause_name(trial->cause));
    }
    json_maybe_string(json, "why", trial->why);
    json_set_string(json, "signature", trial->signature.hex);
    json_set(json, "trace", trace_to_json(&trial->trace));
    json_maybe_string(json, "canonical", trial->canonical);
    json_maybe_string(json, "story", trial->story);
    json_maybe_string(json, "by_hand", trial->by_hand);
    return json;
}

static bool end_parse(const char *name, enum trial_end *end)
{
    for (int i = 0; name != NULL && i < TRIAL_END_COUNT; i++) {
        *end = (enum trial_end)i;
        if (strcmp(NAMES[i], name) == 0)
            return true;
    }
    return false;
}

enum err trial_from_json(const struct json *json, struct trial *trial)
{
    *trial = (struct trial){0};
    const char *signature = json_get_string(json, "signature");
    if (!end_parse(json_get_string(json, "end"), &trial->end) || signature == NULL ||
        strlen(signature) != sizeof trial->signature.hex - 1)
        return ERR_INVALID;
    if (trial->end == TRIAL_broke &&
        (!invariant_parse(json_get_string(json, "invariant"), &trial->invariant) ||
         !cause_parse(json_get_string(json, "cause"), &trial->cause)))
        return ERR_INVALID;
    if (trace_from_json(json_get(json, "trace"), &trial->trace) != ERR_OK)
        return ERR_INVALID;
    memcpy(trial->signature.hex, signature, sizeof trial->signature.hex);
    trial->canonical = mem_strdup(json_get_string(json, "canonical"));
    trial->why = mem_strdup(json_get_string(json, "why"));
    trial->story = mem_strdup(json_get_string(json, "story"));
    trial->by_hand = mem_strdup(json_get_string(json, "by_hand"));
    return ERR_OK;
}

void trial_release(struct trial *trial)
{
    free(trial->why);
    free(trial->canonical);
    free(trial->story);
    free(trial->by_hand);
    trace_release(&trial->trace);
    *trial = (struct trial){0};
}
