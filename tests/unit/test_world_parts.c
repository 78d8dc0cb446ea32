#include "attribution.h"
#include "box.h"
#include "claim.h"
#include "client.h"
#include "deed.h"
#include "mem.h"
#include "past.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- claim ------------------------------------------------------------------------------------ */

Test(claim, is_read_from_the_exit_status)
{
    cr_expect_eq(claim_of_end((struct proc_end){.code = 0}), OUTCOME_SUCCEEDED);
    cr_expect_eq(claim_of_end((struct proc_end){.code = 75}), OUTCOME_UNKNOWN);
    cr_expect_eq(claim_of_end((struct proc_end){.code = 1}), OUTCOME_FAILED);
    cr_expect_eq(claim_of_end((struct proc_end){.code = 255}), OUTCOME_FAILED);
    cr_expect_eq(claim_of_end((struct proc_end){.signalled = true, .code = SIGKILL}),
                 OUTCOME_UNKNOWN);
}

static enum err read_line(const char *line, struct claim *claim)
{
    struct err_text why;
    return claim_read(line, claim, &why);
}

Test(claim, is_read_from_a_line)
{
    struct claim claim;
    cr_assert_eq(
        read_line("{\"order\":\"order_1\",\"outcome\":\"failed\",\"payment\":\"pi_1\"}", &claim),
        ERR_OK);
    cr_expect_str_eq(claim.order, "order_1");
    cr_expect_eq(claim.outcome, OUTCOME_FAILED);
    cr_expect_str_eq(claim.payment, "pi_1");
    claim_release(&claim);
    cr_assert_eq(
        read_line("{\"order\":\"o\",\"outcome\":\"unknown\",\"payment\":null,\"more\":1}", &claim),
        ERR_OK);
    cr_expect_eq(claim.outcome, OUTCOME_UNKNOWN);
    cr_expect_null(claim.payment);
    claim_release(&claim);
}

Test(claim, may_have_white_space_around_it)
{
    struct claim claim;
    cr_assert_eq(read_line(" \t{\"order\": \"o\", \"outcome\": \"succeeded\"} \r", &claim), ERR_OK);
    cr_expect_eq(claim.outcome, OUTCOME_SUCCEEDED);
    claim_release(&claim);
}

Test(claim, other_lines_are_none)
{
    struct claim claim;
    cr_expect_eq(read_line("paid", &claim), ERR_NOT_FOUND);
    cr_expect_eq(read_line("", &claim), ERR_NOT_FOUND);
    cr_expect_eq(read_line("{not json", &claim), ERR_NOT_FOUND);
    cr_expect_eq(read_line("{\"message\":\"the outcome is unknown\"}", &claim), ERR_NOT_FOUND);
    cr_expect_eq(read_line("outcome: {\"outcome\":1}", &claim), ERR_NOT_FOUND);
    cr_expect_eq(read_line("{\"level\":\"info\",\"order\":\"order_1\"}", &claim), ERR_NOT_FOUND);
    cr_expect_null(claim.order);
}

Test(claim, a_wrong_one_is_not_overlooked)
{
    struct claim claim;
    cr_expect_eq(read_line("{\"order\":\"o\",\"outcome\":\"paid\"}", &claim), ERR_INVALID);
    cr_expect_eq(read_line("{\"order\":\"o\",\"outcome\":\"none\"}", &claim), ERR_INVALID);
    cr_expect_eq(read_line("{\"order\":\"o\",\"outcome\":1}", &claim), ERR_INVALID);
    cr_expect_eq(read_line("{\"outcome\":\"failed\"}", &claim), ERR_INVALID);
    cr_expect_eq(read_line(" {'order':'o','outcome':'failed'}", &claim), ERR_INVALID);
    cr_expect_eq(read_line("{\"order\":\"o\",\"outcome\":\"failed\"", &claim), ERR_INVALID);
    cr_expect_eq(read_line("{\"order\":\"o\",\"outcome\":\"failed\"} paid", &claim), ERR_INVALID);
    cr_expect_eq(read_line("{\"order\":\"o\",\"outcome\":\"failed\",\"payment\":7}", &claim),
                 ERR_INVALID);
    cr_expect_null(claim.order);
}

/* --- deed ------------------------------------------------------------------------------------- */

static enum err read_deed(const char *line, struct deed *deed)
{
    struct err_text why;
    return deed_read(line, deed, &why);
}

Test(deed, is_read_from_a_line)
{
    struct deed deed;
    cr_assert_eq(read_deed(" {\"order\":\"o\",\"effect\":\"shipped\"} ", &deed), ERR_OK);
    cr_expect_str_eq(deed.order, "o");
    cr_expect_str_eq(deed.effect, "shipped");
    cr_expect_null(deed.event);
    cr_expect_not(deed.undone);
    deed_release(&deed);
    cr_assert_eq(read_deed("{\"order\":\"o\",\"effect\":\"shipped\",\"event\":\"evt_1\","
                           "\"undone\":true,\"outcome\":\"succeeded\"}",
                           &deed),
                 ERR_OK);
    cr_expect_str_eq(deed.event, "evt_1");
    cr_expect(deed.undone);
    deed_release(&deed);
}

Test(deed, other_lines_are_none)
{
    struct deed deed;
    cr_expect_eq(read_deed("shipped", &deed), ERR_NOT_FOUND);
    cr_expect_eq(read_deed("{\"message\":\"to what effect\"}", &deed), ERR_NOT_FOUND);
    cr_expect_eq(read_deed("{\"log\":{\"effect\":\"none\"}}", &deed), ERR_NOT_FOUND);
    cr_expect_eq(read_deed("{\"order\":\"o\",\"outcome\":\"failed\"}", &deed), ERR_NOT_FOUND);
    cr_expect_null(deed.order);
}

Test(deed, a_wrong_one_is_not_overlooked)
{
    struct deed deed;
    cr_expect_eq(read_deed("{\"effect\":\"shipped\"}", &deed), ERR_INVALID);
    cr_expect_eq(read_deed("{\"order\":\"o\",\"effect\":\"\"}", &deed), ERR_INVALID);
    cr_expect_eq(read_deed("{\"order\":\"o\",\"effect\":1}", &deed), ERR_INVALID);
    cr_expect_eq(read_deed("{\"order\":\"o\",\"effect\":\"a\",\"event\":1}", &deed), ERR_INVALID);
    cr_expect_eq(read_deed("{\"order\":\"o\",\"effect\":\"a\",\"undone\":1}", &deed), ERR_INVALID);
    cr_expect_eq(read_deed("{\"order\":\"o\",\"effect\":\"a\"", &deed), ERR_INVALID);
    cr_expect_null(deed.order);
}

/* --- client ----------------------------------------------------------------------------------- */

static const struct client_values VALUES = {.url = "http://127.0.0.1:9",
                                            .host = "127.0.0.1",
                                            .port = "9",
                                            .key = "sk_test_x",
                                            .order = "order_1",
                                            .amount = "4217",
                                            .currency = "usd",
                                            .state = "/box/state",
                                            .webhook_secret = "whsec_x"};

Test(client, placeholders_are_filled_in)
{
    char *const command[] = {(char[]){"curl"}, (char[]){"{url}/pay?o={order}&a={amount}{currency}"},
                             (char[]){"{\"a\":{other}, {}}"}, (char[]){"{{port}}"}, NULL};
    char **filled = client_command(command, &VALUES);
    cr_expect_str_eq(filled[0], "curl");
    cr_expect_str_eq(filled[1], "http://127.0.0.1:9/pay?o=order_1&a=4217usd");
    cr_expect_str_eq(filled[2], "{\"a\":{other}, {}}", "what is not ours stays");
    cr_expect_str_eq(filled[3], "{9}");
    cr_expect_null(filled[4]);
    client_list_free(filled);
}

static const char *value(char **list, const char *name)
{
    const char *found = NULL;
    for (; *list != NULL; list++) {
        if (strncmp(*list, name, strlen(name)) != 0 || (*list)[strlen(name)] != '=')
            continue;
        cr_expect_null(found, "%s is there twice", name);
        found = *list + strlen(name) + 1;
    }
    return found;
}

Test(client, the_environment_is_the_users_and_ours)
{
    char *const base[] = {(char[]){"LANG=C.UTF-8"}, (char[]){"ORDER_ID=stale"},
                          (char[]){"no_proxy=intern"}, (char[]){"PSP_URLS=not ours"}, NULL};
    char *const more[] = {(char[]){"CALL=POST {url}"}, (char[]){"PSP_URL=http://proxy"}, NULL};
    char **list = client_environment(base, &VALUES, more);
    cr_expect_str_eq(value(list, "LANG"), "C.UTF-8");
    cr_expect_str_eq(value(list, "PSP_URLS"), "not ours");
    cr_expect_str_eq(value(list, "CALL"), "POST http://127.0.0.1:9");
    cr_expect_str_eq(value(list, "PSP_URL"), "http://proxy", "its file has the last word");
    cr_expect_str_eq(value(list, "PSP_API_KEY"), "sk_test_x");
    cr_expect_str_eq(value(list, "ORDER_ID"), "order_1");
    cr_expect_str_eq(value(list, "ORDER_AMOUNT"), "4217");
    cr_expect_str_eq(value(list, "ORDER_CURRENCY"), "usd");
    cr_expect_str_eq(value(list, "STATE_DIR"), "/box/state");
    cr_expect_str_eq(value(list, "PSP_WEBHOOK_SECRET"), "whsec_x");
    cr_expect_str_eq(value(list, "no_proxy"), "127.0.0.1,intern");
    cr_expect_str_eq(value(list, "NO_PROXY"), "127.0.0.1");
    client_list_free(list);
}

/* --- attribution ------------------------------------------------------------------------------ */

static struct attempt attempt_of(const char *path, int64_t amount)
{
    return (struct attempt){.method = mem_strdup("POST"),
                            .path = mem_strdup(path),
                            .amount = amount,
                            .currency = mem_strdup("usd"),
                            .params = json_object()};
}

Test(attribution, goes_by_the_best_evidence)
{
    struct past past = past_new();
    orders_add(&past.orders, "order_2", 999, "usd");
    struct attribution *attribution = attribution_new(&past.orders);
    past_charge(&past, 1, "ch_1");
    attribution_learn(attribution, &past.history.events[0]);

    struct attempt attempt = attempt_of("/v1/payment_intents", 999);
    cr_expect_str_eq(attribution_order(attribution, &attempt, "order_1"), "order_2", "its amount");
    json_set_string(attempt.params, "charge", "ch_1");
    cr_expect_str_eq(attribution_order(attribution, &attempt, NULL), "order_1", "an id it names");
    mem_set_string(&attempt.order, "order_2");
    cr_expect_str_eq(attribution_order(attribution, &attempt, NULL), "order_2", "its metadata");
    mem_set_string(&attempt.order, "their own number");
    cr_expect_str_eq(attribution_order(attribution, &attempt, NULL), "order_1", "not one of ours");
    attempt_release(&attempt);

    attempt = attempt_of("/v1/payment_intents/pi_1/confirm", -1);
    cr_expect_str_eq(attribution_order(attribution, &attempt, "order_2"), "order_1", "its path");
    attempt_release(&attempt);

    attempt = attempt_of("/v1/payment_intents", -1);
    cr_expect_str_eq(attribution_order(attribution, &attempt, "order_2"), "order_2", "who runs");
    cr_expect_null(attribution_order(attribution, &attempt, NULL), "nothing tells");
    attempt_release(&attempt);
    attribution_free(attribution);
    past_release(&past);
}

Test(attribution, knows_the_names_that_the_plain_face_has_for_an_order)
{
    struct past past = past_new();
    orders_add(&past.orders, "order_2", 999, "usd");
    struct attribution *attribution = attribution_new(&past.orders);
    struct attempt attempt = attempt_of("/payments", 999);
    mem_set_string(&attempt.order, "their own number");
    json_set_string(attempt.params, "operation_id", "order_1");
    cr_expect_str_eq(attribution_order(attribution, &attempt, NULL), "order_1", "operation_id");
    attempt_release(&attempt);

    attempt = attempt_of("/payments/operations/order_1", -1);
    cr_expect_str_eq(attribution_order(attribution, &attempt, "order_2"), "order_1", "its path");
    attempt_release(&attempt);

    attempt = attempt_of("/payments", 999);
    json_set_string(attempt.params, "operation_id", "op-7");
    struct event event = event_new(EVENT_INVOKE, 1, 0);
    event.order = mem_strdup("order_2");
    json_free(event.data);
    event.data = attempt_to_json(&attempt);
    attribution_learn(attribution, &event);
    attempt_release(&attempt);
    attempt = attempt_of("/payments/operations/op-7", -1);
    cr_expect_str_eq(attribution_order(attribution, &attempt, "order_1"), "order_2", "seen before");
    attempt_release(&attempt);
    event_release(&event);
    attribution_free(attribution);
    past_release(&past);
}

Test(attribution, does_not_trust_what_orders_may_share)
{
    struct past past = past_new();
    struct attribution *attribution = attribution_new(&past.orders);
    struct event event = event_new(EVENT_OK, 1, 0);
    event.order = mem_strdup("order_1");
    json_set_string(event.data, "id", "cus_1");
    attribution_learn(attribution, &event);
    struct attempt attempt = attempt_of("/v1/customers/cus_1", -1);
    cr_expect_null(attribution_order(attribution, &attempt, NULL));
    attempt_release(&attempt);
    event_release(&event);
    attribution_free(attribution);
    past_release(&past);
}

Test(attribution, traces_an_effect_without_its_request)
{
    struct past past = past_new();
    struct attribution *attribution = attribution_new(&past.orders);
    past_charge_of(&past, 1, NULL, "ch_1", 4217, "usd");
    past_charge_of(&past, 1, NULL, "ch_2", 5, "usd");
    cr_expect_str_eq(attribution_of_effect(attribution, &past.history.events[0]), "order_1");
    cr_expect_null(attribution_of_effect(attribution, &past.history.events[1]));
    attribution_free(attribution);
    past_release(&past);
}

/* --- box -------------------------------------------------------------------------------------- */

Test(box, goes_with_everything_in_it_or_stays)
{
    struct box box;
    struct err_text why;
    cr_assert_eq(box_open(&box, &why), ERR_OK);
    char *path = mem_strdup(box.path);
    char *state = box_dir(&box, "state/%s", "order_1");
    char *file = box_path(&box, "logs/a.log");
    FILE *log = fopen(file, "w");
    cr_assert_not_null(log);
    fclose(log);
    cr_expect_eq(access(state, W_OK), 0);
    box_close(&box, 1);
    cr_expect_eq(access(file, F_OK), 0, "kept");
    box.path = mem_strdup(path);
    box_close(&box, 0);
    cr_expect_neq(access(path, F_OK), 0, "gone");
    box_close(&box, 0);
    free(path);
    free(state);
    free(file);
}

Test(box, says_where_it_could_not_be_made)
{
    struct box box;
    struct err_text why;
    setenv("TMPDIR", "/no/such/place", 1);
    cr_expect_eq(box_open(&box, &why), ERR_IO);
    cr_expect_not_null(strstr(why.text, "/no/such/place"));
}
