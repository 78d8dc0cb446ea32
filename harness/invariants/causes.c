#include "causes.h"

#include "attempts.h"
#include "check.h"

#include <string.h>

#define SOME_TRIES 3

static const struct {
    const char *name;
    const char *words;
} CAUSES[] = {
#define CAUSE_ROW(name, words) {#name, words},
    CAUSE_LIST(CAUSE_ROW)
#undef CAUSE_ROW
};

const char *cause_name(enum cause cause)
{
    CHECK((unsigned)cause < CAUSE_COUNT);
    return CAUSES[cause].name;
}

const char *cause_words(enum cause cause)
{
    CHECK((unsigned)cause < CAUSE_COUNT);
    return CAUSES[cause].words;
}

bool cause_parse(const char *name, enum cause *cause)
{
    for (int i = 0; name != NULL && i < CAUSE_COUNT; i++) {
        if (strcmp(CAUSES[i].name, name) == 0) {
            *cause = (enum cause)i;
            return true;
        }
    }
    return false;
}

/* --- a second charge -------------------------------------------------------------------------- */

static bool differ(const char *a, const char *b)
{
    return a != NULL && b != NULL && strcmp(a, b) != 0;
}

/* Both had one, and it was the same. */
static enum cause cause_under_one_key(const struct history *history, const struct event *a,
                                      const struct event *b)
{
    const struct event *answer = history_answer(history, a->request);
    if (b->at_ms - a->at_ms >= history_key_ttl_ms(history))
        return CAUSE_key_expired;
    if (differ(event_string(a, "fingerprint"), event_string(b, "fingerprint")))
        return CAUSE_body_changed;
    return answer != NULL && answer->kind == EVENT_INFO ? CAUSE_answer_not_kept : CAUSE_unknown;
}

/* What is executed late may be the first try all the same. */
static void by_time(const struct event **a, const struct event **b)
{
    const struct event *first = *a;
    if (first != NULL && *b != NULL && first->seq > (*b)->seq) {
        *a = *b;
        *b = first;
    }
}

enum cause cause_of_new_key(const struct history *history, const struct event *last,
                            const struct event *attempt)
{
    if (attempts_clients(history, attempt->order, attempt) > 1)
        return CAUSE_concurrent_twin;
    return attempts_between(history, EVENT_CRASH, attempt->order, last, attempt) ? CAUSE_key_lost
                                                                                 : CAUSE_new_key;
}

enum cause cause_of_second_charge(const struct history *history, const struct event *first,
                                  const struct event *second)
{
    const struct event *a = history_invoke(history, first->request);
    const struct event *b = history_invoke(history, second->request);
    by_time(&a, &b);
    if (a == NULL || b == NULL)
        return CAUSE_unknown;
    if (event_int(b, "copy_of", 0) == 0 && attempts_asked(history, a, b))
        return CAUSE_asked_in_vain;
    const char *key_a = attempts_key(a);
    const char *key_b = attempts_key(b);
    if (key_a == NULL || key_b == NULL) {
        if (event_string(b, "ignored") != NULL)
            return CAUSE_key_not_looked_at;
        return event_int(b, "copy_of", 0) != 0 ? CAUSE_delivered_twice : CAUSE_no_key;
    }
    if (strcmp(key_a, key_b) == 0)
        return cause_under_one_key(history, a, b);
    return cause_of_new_key(history, a, b);
}

/* --- an untrue claim -------------------------------------------------------------------------- */

/* The client's last try before CLAIM: whatever pays, or confirms. */
static const struct event *last_try(const struct history *history, const struct event *claim)
{
    const struct event *last = NULL;
    const struct event *invoke = NULL;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, claim->order)) != NULL)
        if (invoke->seq < claim->seq && event_bool(invoke, "pays"))
            last = invoke;
    return last;
}

/* What came back for it, as far as that was before CLAIM; NULL: nothing. */
static const struct event *heard(const struct history *history, const struct event *claim,
                                 const struct event *invoke)
{
    const struct event *answer = history_answer(history, invoke->request);
    return answer == NULL || answer->seq > claim->seq ? NULL : answer;
}

static bool is_silence(const struct event *answer)
{
    return answer == NULL || (answer->kind == EVENT_INFO && event_int(answer, "status", 0) == 0);
}

/* The run of the client that made CLAIM has sent so many requests before that all of them together
 * are a client that tried, and then gave up: one answer is not the reason. */
static bool tried_in_vain(const struct history *history, const struct event *claim)
{
    size_t run = attempts_run(history, claim->order, claim);
    int requests = 0;
    const struct event *invoke = NULL;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, claim->order)) != NULL &&
           invoke->seq < claim->seq)
        if (attempts_run(history, claim->order, invoke) == run) {
            if (!attempts_is_unknown(heard(history, claim, invoke)))
                return false;
            requests++;
        }
    return requests >= SOME_TRIES;
}

enum cause cause_of_false_failure(const struct history *history, const struct event *claim)
{
    const struct event *invoke = last_try(history, claim);
    if (invoke == NULL || tried_in_vain(history, claim))
        return CAUSE_gave_up;
    const struct event *answer = heard(history, claim, invoke);
    if (is_silence(answer))
        return CAUSE_silence_as_failure;
    int64_t status = event_int(answer, "status", 0);
    if (answer->kind == EVENT_INFO)
        return CAUSE_error_as_failure;
    if (answer->kind == EVENT_OK)
        return CAUSE_yes_as_failure;
    return status == 409 || status == 429 ? CAUSE_refused_retry_as_failure
                                          : CAUSE_later_no_as_failure;
}

enum cause cause_of_false_success(const struct history *history, const struct event *claim)
{
    const struct event *invoke = last_try(history, claim);
    if (invoke == NULL)
        return CAUSE_never_tried;
    const struct event *answer = heard(history, claim, invoke);
    if (is_silence(answer))
        return CAUSE_silence_as_success;
    if (answer->kind == EVENT_INFO)
        return CAUSE_error_as_success;
    return answer->kind == EVENT_OK ? CAUSE_before_settlement : CAUSE_no_as_success;
}

/* --- no claim at all -------------------------------------------------------------------------- */

/* The last request for the order before CLAIM, and after the faults had ended. */
static const struct event *last_question(const struct history *history, const struct event *claim)
{
    const struct event *last = NULL;
    const struct event *heal = history_next(history, NULL, EVENT_HEAL, NULL);
    const struct event *invoke = heal;
    while ((invoke = history_next(history, invoke, EVENT_INVOKE, claim->order)) != NULL)
        if (invoke->seq < claim->seq)
            last = invoke;
    return last;
}

enum cause cause_of_not_knowing(const struct history *history, const struct event *claim)
{
    const struct event *invoke = last_question(history, claim);
    const struct event *answer = invoke == NULL ? NULL : heard(history, claim, invoke);
    if (invoke == NULL)
        return CAUSE_never_asked;
    if (answer != NULL && answer->kind == EVENT_INFO && event_bool(answer, "replayed"))
        return CAUSE_spent_key;
    return attempts_is_unknown(answer) ? CAUSE_never_answered : CAUSE_answer_not_believed;
}
