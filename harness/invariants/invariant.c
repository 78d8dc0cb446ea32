#include "invariant.h"

#include "buf.h"
#include "check.h"
#include "mem.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    enum severity severity;
    const char *demands;
    void (*check)(const struct history *history, const struct orders *orders,
                  struct findings *findings);
} INVARIANTS[] = {
#define INVARIANT_ROW(name, severity, demands) {#name, severity, demands, invariant_##name},
    INVARIANT_LIST(INVARIANT_ROW)
#undef INVARIANT_ROW
};

const char *invariant_name(enum invariant invariant)
{
    CHECK((unsigned)invariant < INVARIANT_COUNT);
    return INVARIANTS[invariant].name;
}

const char *invariant_demands(enum invariant invariant)
{
    CHECK((unsigned)invariant < INVARIANT_COUNT);
    return INVARIANTS[invariant].demands;
}

enum severity invariant_severity(enum invariant invariant)
{
    CHECK((unsigned)invariant < INVARIANT_COUNT);
    return INVARIANTS[invariant].severity;
}

const char *severity_name(enum severity severity)
{
    return severity == FAILS ? "fails" : "warns";
}

bool invariant_parse(const char *name, enum invariant *invariant)
{
    for (int i = 0; name != NULL && i < INVARIANT_COUNT; i++) {
        if (strcmp(INVARIANTS[i].name, name) == 0) {
            *invariant = (enum invariant)i;
            return true;
        }
    }
    return false;
}

void invariant_check(enum invariant invariant, const struct history *history,
                     const struct orders *orders, struct findings *findings)
{
    CHECK((unsigned)invariant < INVARIANT_COUNT);
    INVARIANTS[invariant].check(history, orders, findings);
}

void invariant_check_all(const struct history *history, const struct orders *orders,
                         unsigned without, struct findings *findings)
{
    for (unsigned i = 0; i < INVARIANT_COUNT; i++)
        if ((without >> i & 1U) == 0)
            invariant_check((enum invariant)i, history, orders, findings);
}

static void add(struct findings *findings, struct finding finding)
{
    findings->items = mem_resize(findings->items, findings->count + 1, sizeof *findings->items);
    findings->items[findings->count++] = finding;
}

static char *sentence(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

static char *sentence(const char *format, va_list args)
{
    struct buf text = {0};
    buf_addv(&text, format, args);
    return buf_take(&text);
}

void findings_violated(struct findings *findings, enum invariant invariant, const char *order,
                       const struct event *where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(findings, (struct finding){.invariant = invariant,
                                   .violated = true,
                                   .order = mem_strdup(order),
                                   .sentence = sentence(format, args),
                                   .weight = 1,
                                   .seq = where == NULL ? 0 : where->seq});
    va_end(args);
}

void findings_cannot_tell(struct findings *findings, enum invariant invariant, const char *order,
                          const struct event *where, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    add(findings, (struct finding){.invariant = invariant,
                                   .order = mem_strdup(order),
                                   .sentence = sentence(format, args),
                                   .weight = 1,
                                   .seq = where == NULL ? 0 : where->seq});
    va_end(args);
}

void findings_blame(struct findings *findings, enum cause cause)
{
    CHECK(findings->count > 0);
    findings->items[findings->count - 1].cause = cause;
}

void findings_weigh(struct findings *findings, int64_t weight)
{
    CHECK(findings->count > 0);
    findings->items[findings->count - 1].weight = weight;
}

const struct finding *findings_first_violation(const struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].violated &&
            invariant_severity(findings->items[i].invariant) == FAILS)
            return &findings->items[i];
    return NULL;
}

/* Those that count: of INVARIANT, and violations where there are any. */
static bool counts(const struct findings *findings, enum invariant invariant,
                   const struct finding *finding)
{
    if (finding->invariant != invariant || finding->violated)
        return finding->invariant == invariant;
    for (size_t i = 0; i < findings->count; i++)
        if (findings->items[i].invariant == invariant && findings->items[i].violated)
            return false;
    return true;
}

static bool is_earlier(const struct finding *a, const struct finding *b)
{
    return a->seq != 0 && (b->seq == 0 || a->seq < b->seq);
}

const struct finding *findings_of(const struct findings *findings, enum invariant invariant)
{
    const struct finding *first = NULL;
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        if (counts(findings, invariant, finding) && (first == NULL || is_earlier(finding, first)))
            first = finding;
    }
    return first;
}

const struct finding *findings_worst(const struct findings *findings, enum invariant invariant)
{
    const struct finding *worst = findings_of(findings, invariant);
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        if (counts(findings, invariant, finding) && finding->weight > worst->weight)
            worst = finding;
    }
    return worst;
}

size_t findings_count(const struct findings *findings, enum invariant invariant)
{
    size_t count = 0;
    for (size_t i = 0; i < findings->count; i++)
        count += counts(findings, invariant, &findings->items[i]);
    return count;
}

struct json *findings_to_json(const struct findings *findings)
{
    struct json *list = json_array();
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        struct json *one = json_object();
        json_set_string(one, "invariant", invariant_name(finding->invariant));
        json_set_string(one, "severity", severity_name(invariant_severity(finding->invariant)));
        json_set_string(one, "result", finding->violated ? "violated" : "cannot tell");
        if (finding->cause != CAUSE_unknown)
            json_set_string(one, "cause", cause_name(finding->cause));
        json_maybe_string(one, "order", finding->order);
        json_set_string(one, "sentence", finding->sentence);
        if (finding->seq != 0)
            json_set_int(one, "seq", (int64_t)finding->seq);
        if (finding->weight != 1)
            json_set_int(one, "weight", finding->weight);
        json_push(list, one);
    }
    return list;
}

enum err findings_from_json(const struct json *json, struct findings *findings)
{
    *findings = (struct findings){0};
    for (const struct json *one = json_first(json); one != NULL; one = json_next(one)) {
        struct finding finding = {.seq = (uint64_t)json_get_int(one, "seq", 0),
                                  .weight = json_get_int(one, "weight", 1)};
        const char *result = json_get_string(one, "result");
        if (result == NULL || json_get_string(one, "sentence") == NULL ||
            !invariant_parse(json_get_string(one, "invariant"), &finding.invariant)) {
            findings_release(findings);
            return ERR_INVALID;
        }
        const char *cause = json_get_string(one, "cause");
        if (cause != NULL && !cause_parse(cause, &finding.cause)) {
            findings_release(findings);
            return ERR_INVALID;
        }
        finding.violated = strcmp(result, "violated") == 0;
        finding.order = mem_strdup(json_get_string(one, "order"));
        finding.sentence = mem_strdup(json_get_string(one, "sentence"));
        add(findings, finding);
    }
    return ERR_OK;
}

void findings_release(struct findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        free(findings->items[i].order);
        free(findings->items[i].sentence);
    }
    free(findings->items);
    *findings = (struct findings){0};
}
