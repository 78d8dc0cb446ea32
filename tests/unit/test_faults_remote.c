/* The remote fault source, with the harness played by the test at the other end of the socket. */
#include "attempt.h"
#include "mem.h"
#include "quoted.h"
#include "remote.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <sys/socket.h>
#include <unistd.h>

struct stage {
    struct loop *loop;
    struct remote *remote;
    int harness;
    int answers;
    enum action_kind kind;
    int64_t ms;
    int64_t advanced;
    int drained;
    int healed;
    bool gone;
};

static void advance(void *context, int64_t ms)
{
    struct stage *stage = context;
    stage->advanced += ms;
}

static struct remote_rest drain(void *context)
{
    struct stage *stage = context;
    stage->drained++;
    return (struct remote_rest){.processing = 3, .webhooks = 2};
}

static void heal(void *context)
{
    struct stage *stage = context;
    stage->healed++;
}

static void gone(void *context)
{
    struct stage *stage = context;
    stage->gone = true;
    remote_close(stage->remote); /* as a provider does that ends now */
    stage->remote = NULL;
}

static void answered(void *context, const struct action *action)
{
    struct stage *stage = context;
    stage->answers++;
    stage->kind = action->kind;
    stage->ms = action->ms;
}

static void open_stage(struct stage *stage)
{
    int pair[2];
    cr_assert_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair), 0);
    stage->kind = ACTION_COUNT;
    stage->harness = pair[1];
    stage->loop = loop_new();
    struct remote_handlers handlers = {
        .advance = advance, .drain = drain, .heal = heal, .gone = gone, .context = stage};
    stage->remote = remote_open(stage->loop, pair[0], handlers);
}

static void close_stage(struct stage *stage)
{
    remote_close(stage->remote);
    if (stage->harness >= 0)
        close(stage->harness);
    loop_free(stage->loop);
}

static void harness_says(struct stage *stage, const char *text)
{
    struct json *json = quoted(text);
    char *line = json_print(json);
    struct buf out = {0};
    buf_addf(&out, "%s\n", line);
    cr_assert_eq(write(stage->harness, out.data, out.len), (ssize_t)out.len);
    buf_release(&out);
    free(line);
    json_free(json);
}

/* What the provider has said so far, as JSON in a list, for one comparison. */
static void expect_heard(struct stage *stage, const char *text)
{
    char bytes[4096];
    ssize_t length = recv(stage->harness, bytes, sizeof bytes, MSG_DONTWAIT);
    cr_assert_gt(length, 0, "nothing was said");
    struct json *list = json_array();
    char *line = bytes;
    for (char *end; (end = memchr(line, '\n', (size_t)(bytes + length - line))) != NULL;
         line = end + 1) {
        struct json *message;
        cr_assert_eq(json_parse(line, (size_t)(end - line), &message, NULL), ERR_OK);
        json_push(list, message);
    }
    cr_assert_eq(line, bytes + length, "the last line ends");
    expect_quoted(list, text);
}

static char post[] = "POST", charges[] = "/v1/charges", req[] = "req_1", key[] = "sk_test_x";

static struct attempt attempt_number(uint64_t number)
{
    return (struct attempt){.number = number,
                            .request_id = req,
                            .account = key,
                            .method = post,
                            .path = charges,
                            .amount = -1,
                            .connection = 1,
                            .on_connection = 1};
}

Test(remote, a_delivery_comes_whole_and_does_not_mix_with_a_request)
{
    struct stage stage = {0};
    open_stage(&stage);
    char event[] = "evt_1", type[] = "charge.succeeded", url[] = "http://127.0.0.1:1/";
    struct attempt attempt = attempt_number(ATTEMPT_DELIVERIES + 7);
    attempt.event = event;
    attempt.event_type = type;
    attempt.endpoint = url;
    attempt.delivery_attempt = 2;
    struct attempt again;
    struct json *json = attempt_to_json(&attempt);
    cr_assert_eq(attempt_from_json(json, &again), ERR_OK);
    cr_expect_str_eq(again.event, event);
    cr_expect_str_eq(again.event_type, type);
    cr_expect_str_eq(again.endpoint, url);
    cr_expect_eq(again.delivery_attempt, 2);
    cr_expect_eq(again.number, ATTEMPT_DELIVERIES + 7);
    attempt_release(&again);

    struct json *wanted = json_object(), *list = json_array();
    json_set_string(wanted, "type", "ask");
    json_set_string(wanted, "at", "webhook");
    json_set(wanted, "attempt", json);
    json_set_int(wanted, "number", (int64_t)attempt.number);
    json_push(list, wanted);
    char *text = json_print(list);
    fault_source_ask(remote_faults(stage.remote), &attempt, FAILPOINT_WEBHOOK, answered, &stage);
    expect_heard(&stage, text);
    harness_says(&stage, "{'type':'act','number':7,'act':{'kind':'drop'}}");
    harness_says(&stage, "{'type':'act','number':281474976710663,'act':{'kind':'lose'}}");
    while (stage.answers == 0)
        loop_turn(stage.loop);
    cr_expect_eq(stage.kind, ACTION_LOSE);
    free(text);
    json_free(list);
    close_stage(&stage);
}

Test(remote, asks_with_the_attempt_first_and_with_its_number_later)
{
    struct stage stage = {0};
    open_stage(&stage);
    struct attempt attempt = attempt_number(7);
    struct fault_source faults = remote_faults(stage.remote);

    fault_source_ask(faults, &attempt, FAILPOINT_RECEIVED, answered, &stage);
    cr_expect_eq(stage.answers, 0, "nobody has answered yet");
    harness_says(&stage, "{'type':'act','number':7,'act':{'kind':'delay','ms':250}}");
    loop_turn(stage.loop);
    cr_expect_eq(stage.answers, 1);
    cr_expect_eq(stage.kind, ACTION_DELAY);
    cr_expect_eq(stage.ms, 250);

    fault_source_ask(faults, &attempt, FAILPOINT_AFTER_COMMIT, answered, &stage);
    harness_says(&stage, "{'type':'act','number':7,'act':{'kind':'drop'}}");
    loop_turn(stage.loop);
    cr_expect_eq(stage.kind, ACTION_DROP);
    fault_source_end(faults, &attempt);

    expect_heard(&stage, "[{'type':'ask','at':'received','attempt':{'number':7,"
                         "'request_id':'req_1','account':'sk_test_x','method':'POST',"
                         "'path':'/v1/charges','connection':1,'on_connection':1,'params':{}},"
                         "'number':7},"
                         "{'type':'ask','at':'after_commit','number':7},"
                         "{'type':'end','number':7}]");
    close_stage(&stage);
}

/* The harness may think about one request for long while others come and go. */
Test(remote, answers_may_come_in_any_order)
{
    struct stage first = {0}, second = {0}, third = {0};
    open_stage(&first);
    struct attempt attempts[] = {attempt_number(1), attempt_number(2), attempt_number(3)};
    struct fault_source faults = remote_faults(first.remote);
    fault_source_ask(faults, &attempts[0], FAILPOINT_RECEIVED, answered, &first);
    fault_source_ask(faults, &attempts[1], FAILPOINT_RECEIVED, answered, &second);
    fault_source_ask(faults, &attempts[2], FAILPOINT_RECEIVED, answered, &third);
    harness_says(&first, "{'type':'act','number':2,'act':{'kind':'reset'}}");
    harness_says(&first, "{'type':'act','number':3,'act':{'kind':'hang'}}");
    harness_says(&first, "{'type':'act','number':1,'act':{'kind':'drop'}}");
    while (first.answers == 0)
        loop_turn(first.loop);
    cr_expect_eq(first.kind, ACTION_DROP);
    cr_expect_eq(second.kind, ACTION_RESET);
    cr_expect_eq(third.kind, ACTION_HANG);
    close_stage(&first);
}

Test(remote, an_answer_to_no_question_is_ignored)
{
    struct stage stage = {0};
    open_stage(&stage);
    struct attempt attempt = attempt_number(1);
    fault_source_ask(remote_faults(stage.remote), &attempt, FAILPOINT_RECEIVED, answered, &stage);
    fault_source_end(remote_faults(stage.remote), &attempt);
    harness_says(&stage, "{'type':'act','number':1,'act':{'kind':'drop'}}");
    harness_says(&stage, "{'type':'act','number':99,'act':{'kind':'drop'}}");
    loop_turn(stage.loop);
    cr_expect_eq(stage.answers, 0, "the client had gone before the answer came");
    close_stage(&stage);
}

Test(remote, what_is_no_action_lets_the_request_pass)
{
    cr_redirect_stderr();
    struct stage stage = {0};
    open_stage(&stage);
    struct attempt attempt = attempt_number(1);
    fault_source_ask(remote_faults(stage.remote), &attempt, FAILPOINT_RECEIVED, answered, &stage);
    harness_says(&stage, "{'type':'act','number':1,'act':{'kind':'explode'}}");
    loop_turn(stage.loop);
    cr_expect_eq(stage.answers, 1, "a request is never left hanging");
    cr_expect_eq(stage.kind, ACTION_PASS);
    close_stage(&stage);
}

Test(remote, moves_the_clock_when_told)
{
    cr_redirect_stderr();
    struct stage stage = {0};
    open_stage(&stage);
    harness_says(&stage, "{'type':'advance','ms':90000000}");
    harness_says(&stage, "{'type':'of the next version'}");
    loop_turn(stage.loop);
    cr_expect_eq(stage.advanced, 90000000);
    close_stage(&stage);
}

Test(remote, says_when_it_has_drained)
{
    struct stage stage = {0};
    open_stage(&stage);
    harness_says(&stage, "{'type':'drain'}");
    loop_turn(stage.loop);
    cr_expect_eq(stage.drained, 1);
    expect_heard(&stage, "[{'type':'drained','processing':3,'webhooks':2}]");
    close_stage(&stage);
}

Test(remote, heals_when_told)
{
    struct stage stage = {0};
    open_stage(&stage);
    harness_says(&stage, "{'type':'heal'}");
    loop_turn(stage.loop);
    cr_expect_eq(stage.healed, 1);
    cr_expect_eq(stage.drained, 0);
    close_stage(&stage);
}

Test(remote, says_when_the_database_failed)
{
    struct stage stage = {0};
    open_stage(&stage);
    remote_broken(stage.remote, "disk full");
    expect_heard(&stage, "[{'type':'broken','why':'disk full'}]");
    close_stage(&stage);
}

Test(remote, reports_events)
{
    struct stage stage = {0};
    open_stage(&stage);
    struct event event = event_new(EVENT_EFFECT, 3, 1000);
    event.seq = 5;
    json_set_int(event.data, "amount", 100);
    remote_report(stage.remote, &event);
    event_release(&event);
    expect_heard(&stage, "[{'type':'event','event':{'seq':5,'kind':'effect','at':1000,"
                         "'request':3,'data':{'amount':100}}}]");
    close_stage(&stage);
}

Test(remote, says_when_the_harness_has_gone)
{
    struct stage stage = {0};
    open_stage(&stage);
    struct attempt attempt = attempt_number(1);
    fault_source_ask(remote_faults(stage.remote), &attempt, FAILPOINT_RECEIVED, answered, &stage);
    close(stage.harness);
    stage.harness = -1;
    while (!stage.gone)
        loop_turn(stage.loop);
    cr_expect_eq(stage.answers, 0, "open questions are never answered any more");
    close_stage(&stage);
}

Test(remote, talking_to_nobody_is_no_crash)
{
    struct stage stage = {0};
    open_stage(&stage);
    struct attempt attempt = attempt_number(1);
    struct event event = event_new(EVENT_UP, 0, 1000);
    cr_assert_eq(shutdown(stage.harness, SHUT_RDWR), 0);
    fault_source_ask(remote_faults(stage.remote), &attempt, FAILPOINT_RECEIVED, answered, &stage);
    remote_report(stage.remote, &event);
    fault_source_end(remote_faults(stage.remote), &attempt);
    event_release(&event);
    while (!stage.gone)
        loop_turn(stage.loop);
    close_stage(&stage);
}
