#include "armed.h"

#include "mem.h"
#include "schedule_source.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static struct schedule schedule_of(const char *text)
{
    struct schedule schedule;
    struct err_text why;
    struct json *json;
    cr_assert_eq(json_parse(text, strlen(text), &json, &why), ERR_OK);
    cr_assert_eq(schedule_from_json(json, &schedule, &why), ERR_OK, "%s", why.text);
    json_free(json);
    return schedule;
}

static const char DROP[] = "[{\"at\":\"received\",\"act\":{\"kind\":\"drop\"}}]";

/* What a source was asked and told, one letter each. */
struct tale {
    char text[32];
    struct fault_source source;
    bool ends; /* the exchange ends inside the answer */
    struct attempt attempt;
};

static void tell(struct tale *tale, char letter)
{
    size_t length = strlen(tale->text);
    cr_assert_lt(length + 1, sizeof tale->text);
    tale->text[length] = letter;
}

static void tale_ask(void *self, const struct attempt *attempt, enum failpoint at,
                     fault_answer *answer, void *context)
{
    (void)attempt;
    tell(self, at == FAILPOINT_RECEIVED ? 'R' : 'r');
    answer(context, &(struct action){.kind = ACTION_PASS});
}

static void tale_see(void *self, const struct attempt *attempt)
{
    (void)attempt;
    tell(self, 'S');
}

static void tale_end(void *self, const struct attempt *attempt)
{
    (void)attempt;
    tell(self, 'E');
}

static struct fault_source told(struct tale *tale, bool sees)
{
    static const struct fault_source_ops all = {tale_ask, tale_see, tale_end};
    static const struct fault_source_ops blind = {tale_ask, NULL, tale_end};
    return (struct fault_source){sees ? &all : &blind, tale};
}

static void answered(void *context, const struct action *action)
{
    struct tale *tale = context;
    tell(tale, action->kind == ACTION_PASS ? '.' : '!');
    if (tale->ends)
        fault_source_end(tale->source, &tale->attempt);
    cr_assert_lt((unsigned)action->kind, (unsigned)ACTION_COUNT); /* it outlives the end */
}

static char post[] = "POST", charges[] = "/v1/charges";

static void begin(struct tale *tale, struct armed_faults *armed, const char *account, bool sees)
{
    tale->attempt = (struct attempt){.number = 1, .method = post, .path = charges};
    tale->source = armed_faults_before(armed, account, told(tale, sees));
}

static void ask(struct tale *tale, enum failpoint at)
{
    fault_source_ask(tale->source, &tale->attempt, at, answered, tale);
}

Test(armed, the_source_behind_only_counts_what_is_struck_before_it)
{
    struct armed_faults *armed = armed_faults_new(1, (struct clock_source){0});
    struct tale tale = {0};
    armed_faults_add(armed, "a", schedule_of(DROP));
    begin(&tale, armed, "a", true);
    ask(&tale, FAILPOINT_RECEIVED);
    ask(&tale, FAILPOINT_RESPONDING);
    fault_source_end(tale.source, &tale.attempt);
    cr_assert_str_eq(tale.text, "S!r.E");
    armed_faults_free(armed);
}

Test(armed, one_that_cannot_only_count_hears_nothing_at_all)
{
    struct armed_faults *armed = armed_faults_new(1, (struct clock_source){0});
    struct tale tale = {0};
    armed_faults_add(armed, NULL, schedule_of(DROP));
    begin(&tale, armed, "a", false);
    ask(&tale, FAILPOINT_RECEIVED);
    ask(&tale, FAILPOINT_RESPONDING);
    fault_source_end(tale.source, &tale.attempt);
    cr_assert_str_eq(tale.text, "!.");
    armed_faults_free(armed);
}

Test(armed, an_exchange_may_end_inside_the_answer)
{
    struct armed_faults *armed = armed_faults_new(1, (struct clock_source){0});
    struct tale struck = {.ends = true};
    struct tale passed = {.ends = true};
    armed_faults_add(armed, "a", schedule_of(DROP));
    begin(&struck, armed, "a", true);
    begin(&passed, armed, "a", true);
    passed.attempt.number = 2;
    ask(&struck, FAILPOINT_RECEIVED);
    ask(&passed, FAILPOINT_RECEIVED);
    cr_assert_str_eq(struck.text, "S!E");
    cr_assert_str_eq(passed.text, "R.E");
    cr_assert_eq(armed_faults_count(armed, "a"), 0);
    cr_assert_eq(armed_faults_struck(armed, "a"), 1);
    armed_faults_free(armed);
}

Test(armed, what_was_disarmed_is_freed_when_the_last_exchange_that_knew_it_ends)
{
    struct armed_faults *armed = armed_faults_new(1, (struct clock_source){0});
    struct tale tale = {0};
    armed_faults_add(armed, "a", schedule_of(DROP));
    begin(&tale, armed, "a", true);
    armed_faults_clear(armed, "a");
    ask(&tale, FAILPOINT_RECEIVED);
    fault_source_end(tale.source, &tale.attempt);
    cr_assert_str_eq(tale.text, "R.E");
    cr_assert_eq(armed_faults_struck(armed, "a"), 0);
    armed_faults_free(armed);
}

Test(armed, nothing_armed_is_nothing_in_front)
{
    struct armed_faults *armed = armed_faults_new(1, (struct clock_source){0});
    struct tale tale = {0};
    armed_faults_add(armed, "b", schedule_of(DROP));
    begin(&tale, armed, "a", true);
    cr_assert_eq(tale.source.self, &tale);
    armed_faults_free(armed);
    armed_faults_free(NULL);
}
