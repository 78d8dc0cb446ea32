#include "document.h"
#include "past.h"
#include "quote.h"
#include "story.h"
#include "summary.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* A double charge, as it looks to a person: the answer is lost, the job runs again. */
static struct result double_charge(void)
{
    struct past past = past_new();
    past_add(&past, EVENT_UP, 0, NULL);
    json_set_int(past_add(&past, EVENT_START, 0, "order_1"), "run", 1);
    past_invoke(&past, 1, "order_1", "a-key-that-is-much-too-long-to-be-read", "f");
    past_charge(&past, 1, "ch_1");
    struct json *fault = past_add(&past, EVENT_FAULT, 1, "order_1");
    json_set_string(fault, "at", "after_commit");
    json_set_string(fault, "act", "drop");
    json_set_string(past_add(&past, EVENT_INFO, 1, "order_1"), "how", "closed");
    past.now_ms += INT64_C(25) * 3600 * 1000;
    json_set_int(past_add(&past, EVENT_CLOCK, 0, NULL), "advanced", INT64_C(25) * 3600 * 1000);
    json_set_int(past_add(&past, EVENT_START, 0, "order_1"), "run", 2);
    past_invoke(&past, 2, "order_1", "a-key-that-is-much-too-long-to-be-read", "f");
    past_charge(&past, 2, "ch_2");
    past_answer(&past, EVENT_OK, 2, 200, NULL);
    past_invoke(&past, 3, "order_2", NULL, "f");
    past_claim(&past, "succeeded", NULL);
    struct result result = {.file = mem_strdup("scenarios/b10_lost.lua"),
                            .title = mem_strdup("the answer is lost"),
                            .box = mem_strdup("/tmp/box")};
    result.orders = past.orders;
    result.history = past.history;
    struct findings findings = {0};
    invariant_check_all(&result.history, &result.orders, 0, &findings);
    result_add_findings(&result, findings, false);
    return result;
}

static bool has(const struct buf *text, const char *words)
{
    return strstr(buf_string(text), words) != NULL;
}

/* How many lines of TEXT hold WORDS. */
static size_t lines_with(const struct buf *text, const char *words)
{
    size_t count = 0;
    for (const char *at = buf_string(text); (at = strstr(at, words)) != NULL; at++)
        count++;
    return count;
}

Test(story, tells_one_order_from_start_to_end)
{
    struct result result = double_charge();
    struct buf story = {0};
    story_tell(&result, "order_1", &story);
    cr_expect(has(&story, "+0.001s    the client starts\n"), "%s", buf_string(&story));
    cr_expect(has(&story, "-> request 1: POST /v1/payment_intents 4217 usd, "
                          "key A = a-key-that...e-read\n"));
    cr_expect(has(&story, " $ charged 4217 usd: ch_1 of pi_1  (charge number 1)\n"));
    cr_expect(has(&story, "** FAULT at after_commit: drop\n"));
    cr_expect(has(&story, "<- request 1: no whole answer, closed\n"));
    cr_expect(has(&story, "+25h00m00s    25h pass\n"));
    cr_expect(has(&story, "the client starts again (run 2)\n"));
    cr_expect(has(&story, "key A again\n"));
    cr_expect(has(&story, "(charge number 2)  <== charged_once\n"));
    cr_expect(has(&story, "so the order is: succeeded\n"));
    cr_expect_not(has(&story, "request 3"), "that is another order's");
    cr_expect_not(has(&story, "provider is up"), "which goes without saying");
    buf_clear(&story);
    story_tell(&result, NULL, &story);
    cr_expect(has(&story, "request 3"));
    buf_release(&story);
    result_release(&result);
}

Test(story, leaves_out_the_middle_of_a_long_one)
{
    struct past past = past_new();
    for (uint64_t i = 1; i <= 200; i++)
        past_invoke(&past, i, "order_1", NULL, "f");
    struct result result = {.orders = past.orders, .history = past.history};
    struct buf story = {0};
    story_tell(&result, "order_1", &story);
    cr_expect_eq(lines_with(&story, "\n"), 81);
    cr_expect(has(&story, "request 1:"));
    cr_expect(has(&story, "120 lines left out"));
    cr_expect(has(&story, "request 200:"));
    cr_expect_not(has(&story, "request 100:"));
    buf_release(&story);
    result_release(&result);
}

Test(summary, a_line_names_what_was_violated)
{
    struct result result = double_charge();
    struct buf line = {0};
    summary_line(&result, false, &line);
    cr_expect_str_eq(buf_string(&line), "FAIL          b10_lost                            "
                                        "the answer is lost  [charged_once]\n");
    buf_clear(&line);
    summary_line(&result, true, &line);
    cr_expect(has(&line, "\033[31m"));
    buf_release(&line);
    result_release(&result);
}

Test(summary, details_have_the_cause_the_story_the_box_and_the_replay)
{
    struct result result = double_charge();
    struct buf text = {0};
    result_add(&result, VERDICT_INCONCLUSIVE, "a fault never struck: reset");
    summary_details(&result, "psp-harness run x", &text);
    cr_expect(
        has(&text, "\nFAIL  scenarios/b10_lost.lua\n  charged_once: order_1 was charged twice"));
    cr_expect(has(&text, "\n  also: a fault never struck: reset\n"));
    cr_expect_eq(lines_with(&text, "the story of order_1, 4217 usd\n"), 1);
    cr_expect(has(&text, "\n  box:    /tmp/box\n"));
    cr_expect(has(&text, "\n  replay: psp-harness run x\n"));
    buf_release(&text);
    result_release(&result);
}

/* Of a hundred stories that say the same nobody reads one. */
Test(summary, details_have_the_story_of_the_first_and_of_the_worst)
{
    static const int charges[] = {2, 2, 4, 2};
    struct past past = {.now_ms = 1};
    for (int i = 0; i < 4; i++) {
        char *order = mem_printf("order_%d", i + 1);
        orders_add(&past.orders, order, 4217, "usd");
        for (int n = 0; n < charges[i]; n++)
            past_charge_of(&past, 0, order, "ch_1", 4217, "usd");
        free(order);
    }
    struct result result = {.orders = past.orders, .history = past.history};
    struct findings findings = {0};
    struct buf text = {0};
    invariant_check(INVARIANT_charged_once, &result.history, &result.orders, &findings);
    result_add_findings(&result, findings, false);
    summary_details(&result, "replay", &text);
    cr_expect(has(&text, "  charged_once (the first of 4): order_1 was charged twice"));
    cr_expect(has(&text, "  charged_once (the worst): order_3 was charged 4 times"));
    cr_expect(has(&text, "the story of order_1"));
    cr_expect(has(&text, "the story of order_3"));
    cr_expect_eq(lines_with(&text, "the story of"), 2);
    buf_release(&text);
    result_release(&result);
}

Test(summary, causes_are_summed_up_where_several_have_failed)
{
    struct result one = double_charge(), other = double_charge(), pass = {0};
    const struct result *results[] = {&one, &pass, &other};
    struct buf text = {0};
    one.findings.items[0].cause = CAUSE_key_expired;
    one.findings.items[0].violated = true;
    summary_causes(results, 2, "scenario", &text);
    cr_expect_str_eq(buf_string(&text), "");
    summary_causes(results, 3, "scenario", &text);
    cr_expect(has(&text, "\nwhat the client has to mend\n"), "%s", buf_string(&text));
    cr_expect(has(&text, "  tried again after the key had expired, in 2 scenarios (scenarios/b10_"),
              "%s", buf_string(&text));
    cr_expect_eq(lines_with(&text, "has to mend"), 1);
    buf_release(&text);
    result_release(&one);
    result_release(&other);
}

/* A client says what it likes, and a scenario is called what its author likes. */
Test(summary, nothing_in_it_acts_on_a_terminal)
{
    struct result result = double_charge();
    struct buf text = {0};
    mem_set_string(&result.title, "red \033[31m");
    result_add(&result, VERDICT_FAIL, "it said \033]0;x\a");
    summary_line(&result, false, &text);
    summary_details(&result, "replay \033[2J", &text);
    cr_expect(has(&text, "red \\x1b[31m"), "%s", buf_string(&text));
    cr_expect(has(&text, "  it said \\x1b]0;x\\x07\n"), "%s", buf_string(&text));
    cr_expect(has(&text, "replay \\x1b[2J\n"), "%s", buf_string(&text));
    buf_release(&text);
    result_release(&result);
}

Test(summary, a_pass_has_no_details)
{
    struct result result = {0};
    struct buf text = {0};
    summary_details(&result, "psp-harness run x", &text);
    cr_expect_eq(text.len, 0);
}

Test(summary, a_note_is_told_once)
{
    struct result passed = {0};
    struct result failed = {0};
    struct buf out = {0};
    result_note(&passed, "the clock stayed behind");
    result_note(&failed, "the clock stayed behind");
    result_add(&failed, VERDICT_FAIL, "twice");
    summary_warnings((const struct result *const[]){&passed, &failed}, 2, "scenario", &out);
    cr_expect_str_eq(buf_string(&out), "\nnote: the clock stayed behind (in 2 scenarios)\n");
    buf_release(&out);
    result_release(&passed);
    result_release(&failed);
}

Test(totals, the_worst_verdict_decides_the_status)
{
    struct totals totals = {0};
    cr_expect_eq(totals_status(&totals), 3, "nothing was tried");
    totals_add(&totals, VERDICT_PASS);
    cr_expect_eq(totals_status(&totals), 0);
    totals_add(&totals, VERDICT_INCONCLUSIVE);
    cr_expect_eq(totals_status(&totals), 3);
    totals_add(&totals, VERDICT_FAIL);
    cr_expect_eq(totals_status(&totals), 1);
    totals_add(&totals, VERDICT_BROKEN);
    cr_expect_eq(totals_status(&totals), 2);
    totals_add(&totals, VERDICT_ERROR);
    cr_expect_eq(totals_status(&totals), 4);
    struct buf text = {0};
    summary_totals(&totals, "scenario", 1250, &text);
    cr_expect_str_eq(buf_string(&text), "\n5 scenarios: 1 passed, 1 failed, 1 inconclusive, "
                                        "1 broken, 1 ended by an error of the harness (1.2 s)\n");
    buf_release(&text);
}

Test(document, holds_everything_about_a_failure)
{
    struct result result = double_charge();
    struct totals totals = {0};
    struct json *scenarios = json_array();
    totals_add(&totals, result.verdict);
    json_push(scenarios, document_entry(&result, "psp-harness run x"));
    struct json *document = document_make(7, &totals, scenarios);
    const struct json *entry = json_first(json_get(document, "scenarios"));
    const struct json *charge = json_first(json_get(entry, "charges"));
    cr_expect_eq(json_get_int(document, "seed", -1), 7);
    cr_expect_eq(json_get_int(json_get(document, "totals"), "fail", -1), 1);
    cr_expect_eq(json_get_int(json_get(document, "totals"), "scenarios", -1), 1);
    cr_expect_str_eq(json_get_string(entry, "verdict"), "fail");
    cr_expect_str_eq(json_get_string(entry, "replay"), "psp-harness run x");
    cr_expect_str_eq(json_get_string(charge, "id"), "ch_1");
    cr_expect_eq(json_count(json_get(entry, "charges")), 2);
    cr_expect_eq(json_count(json_get(entry, "invariants")), INVARIANT_COUNT);
    cr_expect_str_eq(json_get_string(json_first(json_get(entry, "claims")), "outcome"),
                     "succeeded");
    cr_expect_eq(json_count(json_get(entry, "history")), result.history.count);
    json_free(document);
    result_release(&result);
}

Test(document, a_broken_run_holds_nothing)
{
    struct result result = {0};
    result_add(&result, VERDICT_BROKEN, "x.lua:3: what");
    struct json *entry = document_entry(&result, "");
    const struct json *one = json_first(json_get(entry, "invariants"));
    for (; one != NULL; one = json_next(one))
        cr_expect_str_eq(json_get_string(one, "result"), "cannot tell");
    json_free(entry);
    result_release(&result);
}

static void expect_quoted_word(const char *word, const char *wanted)
{
    struct buf out = {0};
    quote_word(&out, word);
    cr_expect_str_eq(buf_string(&out), wanted);
    buf_release(&out);
}

Test(quote, quotes_only_what_a_shell_would_touch)
{
    expect_quoted_word("./client-1.sh", "./client-1.sh");
    expect_quoted_word("--a=b,c", "--a=b,c");
    expect_quoted_word("", "''");
    expect_quoted_word("two words", "'two words'");
    expect_quoted_word("$HOME", "'$HOME'");
    expect_quoted_word("it's", "'it'\\''s'");
    expect_quoted_word("{url}", "'{url}'");
}
