#include "past.h"
#include "result.h"

#include <criterion/criterion.h>

Test(verdict, the_worse_one_wins)
{
    static const enum verdict ladder[] = {VERDICT_PASS, VERDICT_INCONCLUSIVE, VERDICT_FAIL,
                                          VERDICT_BROKEN, VERDICT_ERROR};
    for (int i = 0; i < VERDICT_COUNT; i++) {
        for (int j = 0; j < VERDICT_COUNT; j++)
            cr_expect_eq(verdict_worse(ladder[i], ladder[j]), ladder[i > j ? i : j]);
        enum verdict back;
        cr_expect(verdict_parse(verdict_name(ladder[i]), &back));
        cr_expect_eq(back, ladder[i]);
    }
}

Test(verdict, each_has_the_documented_exit_status)
{
    cr_expect_eq(verdict_status(VERDICT_PASS), 0);
    cr_expect_eq(verdict_status(VERDICT_FAIL), 1);
    cr_expect_eq(verdict_status(VERDICT_BROKEN), 2);
    cr_expect_eq(verdict_status(VERDICT_INCONCLUSIVE), 3);
    cr_expect_eq(verdict_status(VERDICT_ERROR), 4);
}

Test(result, a_zeroed_one_is_a_pass)
{
    struct result result = {0};
    cr_expect_eq(result.verdict, VERDICT_PASS);
    cr_expect_str_eq(result_reason(&result), "");
}

Test(result, gives_the_first_of_the_worst_reasons)
{
    struct result result = {0};
    result_add(&result, VERDICT_INCONCLUSIVE, "a fault of %d", 1);
    cr_expect_eq(result.verdict, VERDICT_INCONCLUSIVE);
    result_add(&result, VERDICT_FAIL, "twice");
    result_add(&result, VERDICT_FAIL, "and again");
    result_add(&result, VERDICT_INCONCLUSIVE, "more");
    cr_expect_eq(result.verdict, VERDICT_FAIL);
    cr_expect_str_eq(result_reason(&result), "twice");
    result_release(&result);
}

Test(result, a_note_is_no_reason_for_anything)
{
    struct result result = {0};
    result_note(&result, "the clock of %s", "order_1's client");
    cr_expect_eq(result.verdict, VERDICT_PASS);
    cr_expect_str_eq(result_reason(&result), "");
    cr_expect(reason_is_note(&result.reasons[0]));
    result_add(&result, VERDICT_FAIL, "twice");
    cr_expect_not(reason_is_note(&result.reasons[1]));
    cr_expect_str_eq(result_reason(&result), "twice");
    result_release(&result);
}

Test(result, findings_become_reasons)
{
    struct result result = {0};
    struct findings findings = {0};
    findings_cannot_tell(&findings, INVARIANT_settles, "order_1", NULL, "who knows");
    result_add_findings(&result, findings, false);
    cr_expect_eq(result.verdict, VERDICT_INCONCLUSIVE);
    cr_expect_str_eq(result_reason(&result), "settles cannot tell: who knows");
    findings = (struct findings){0};
    findings_violated(&findings, INVARIANT_charged_once, "order_1", NULL, "twice");
    result_add_findings(&result, findings, false);
    cr_expect_eq(result.verdict, VERDICT_FAIL);
    cr_expect_str_eq(result_reason(&result), "charged_once: twice");
    result_release(&result);
}

Test(result, of_many_findings_it_gives_the_first_and_the_worst)
{
    struct result result = {0};
    struct findings findings = {0};
    static const struct {
        const char *sentence;
        uint64_t seq;
        int64_t weight;
    } found[] = {{"later", 9, 2}, {"first", 3, 2}, {"worst", 20, 4}, {"as bad", 30, 4}};
    for (size_t i = 0; i < sizeof found / sizeof found[0]; i++) {
        struct event where = {.seq = found[i].seq};
        findings_violated(&findings, INVARIANT_charged_once, "order_1", &where, "%s",
                          found[i].sentence);
        findings_weigh(&findings, found[i].weight);
    }
    findings_cannot_tell(&findings, INVARIANT_charged_once, NULL, NULL, "who knows");
    result_add_findings(&result, findings, false);
    cr_assert_eq(result.reason_count, 2);
    cr_expect_str_eq(result.reasons[0].text, "charged_once (the first of 4): first");
    cr_expect_str_eq(result.reasons[1].text, "charged_once (the worst): worst");
    cr_expect_eq(result.findings.count, 5);
    result_release(&result);
}

Test(result, what_only_warns_fails_when_it_is_strict)
{
    for (int strict = 0; strict < 2; strict++) {
        struct result result = {0};
        struct findings findings = {0};
        findings_violated(&findings, INVARIANT_key_sent, "order_1", NULL, "no key");
        result_add_findings(&result, findings, strict == 1);
        cr_expect_eq(result.verdict, strict == 1 ? VERDICT_FAIL : VERDICT_PASS);
        cr_expect_str_eq(result_reason(&result), strict == 1 ? "key_sent: no key" : "");
        cr_expect_not_null(findings_of(&result.findings, INVARIANT_key_sent));
        result_release(&result);
    }
}

Test(result, survives_json)
{
    struct past past = past_new();
    struct result result = {.orders = past.orders,
                            .history = past.history,
                            .file = mem_strdup("a.lua"),
                            .title = mem_strdup("A"),
                            .box = mem_strdup("/tmp/box"),
                            .took_ms = 42,
                            .client_runs = 3,
                            .client_us = 41999};
    history_add(&result.history, event_new(EVENT_HEAL, 0, 5));
    result_add(&result, VERDICT_FAIL, "twice");
    struct json *json = result_to_json(&result);
    struct result back;
    cr_assert_eq(result_from_json(json, &back), ERR_OK);
    cr_expect_eq(back.verdict, VERDICT_FAIL);
    cr_expect_str_eq(result_reason(&back), "twice");
    cr_expect_str_eq(back.file, "a.lua");
    cr_expect_str_eq(back.title, "A");
    cr_expect_str_eq(back.box, "/tmp/box");
    cr_expect_eq(back.took_ms, 42);
    cr_expect_eq(back.client_runs, 3);
    cr_expect_eq(back.client_us, 41999);
    cr_expect_eq(back.orders.count, 1);
    cr_expect_eq(back.history.count, 1);
    result_release(&back);
    json_set_string(json, "verdict", "splendid");
    cr_expect_eq(result_from_json(json, &back), ERR_INVALID);
    cr_expect_null(back.file);
    json_free(json);
    result_release(&result);
}
