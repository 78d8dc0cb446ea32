/* Lua files as a source of faults: what is read, what is refused, and what strikes. */
#include "fated.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <stdlib.h>
#include <string.h>

Test(script, reads_what_a_scenario_says)
{
    struct err_text text;
    struct script *script = load("return scenario { title = 'lost', orders = 3,"
                                 "faults = { { at = 'after_commit', act = drop() } } }");
    cr_assert_str_eq(script_title(script), "lost");
    cr_assert_eq(script_orders(script), 3);
    cr_assert_eq(script_unstruck(script, 0, &text), ERR_OK);
    cr_assert_null(script_error(script));
    script_free(script);
}

Test(script, everything_may_be_left_out)
{
    struct err_text text;
    struct script *script = load("return scenario {}");
    cr_assert_null(script_title(script));
    cr_assert_eq(script_orders(script), 0);
    cr_assert_eq(script_unstruck(script, 0, &text), ERR_END);
    expect_fate(script, post(1, "a"), PASS5);
    script_free(script);
    script = load("return scenario { faults = {} }");
    cr_assert_eq(script_unstruck(script, 0, &text), ERR_END);
    script_free(script);
}

Test(script, a_file_that_is_not_there)
{
    struct script *script;
    struct err_text why;
    cr_assert_eq(script_load("/nowhere/x.lua", &(struct script_options){0}, &script, &why),
                 ERR_NOT_FOUND);
    cr_assert_str_eq(why.text, "/nowhere/x.lua: cannot open it: No such file or directory");
    cr_assert_eq(script_load("/", &(struct script_options){0}, &script, &why), ERR_IO);
    cr_assert_str_eq(why.text, "/: is no file");
}

Test(script, a_file_that_is_no_scenario)
{
    static const char ends[] = ": a scenario file ends with: return scenario { title = …";
    expect_refusal("", ends);
    expect_refusal("scenario { title = 'x' }", ends);
    expect_refusal("return { title = 'x' }", ends);
    expect_refusal("return scenario", ends);
    expect_refusal("return scenario 'x'", ends);
    expect_refusal("return 5", ends);
    char *large = mem_alloc((1 << 20) + 2);
    memset(large, ' ', (1 << 20) + 1);

    expect_refusal(large, ": larger than 1 MiB");
    free(large);
}

Test(script, fields_that_are_wrong)
{
    expect_refusal(
        "\nreturn scenario {\ntitel = 'x' }",
        ":2: a scenario has no field 'titel' (did you mean title?): it has title, orders, faults");
    expect_refusal("return scenario { x = 1 }", ":1: a scenario has no field 'x': it has title");
    expect_refusal("return scenario { title = 5 }", ":1: title is text");
    expect_refusal("return scenario { title = 'a\\nb' }", ":1: title is text");
    expect_refusal("return scenario { orders = 0 }", ":1: orders is a whole number from 1 to 1000");
    expect_refusal("return scenario { orders = 1001 }", ":1: orders is a whole number");
    expect_refusal("return scenario { orders = 1.5 }", ":1: orders is a whole number");
    expect_refusal("return scenario { orders = '3' }", ":1: orders is a whole number");
    expect_refusal("return scenario { run = {} }", ":1: run is a function");
    expect_refusal("return scenario { faults = 'drop' }",
                   ":1: faults is a list of faults, or a function(req)");
    expect_refusal("return scenario { {}, title = 'x' }", ":1: a scenario has no field '1'");
}

Test(script, lists_that_are_wrong)
{
    expect_refusal("return scenario { faults = { at = 'received', act = drop() } }",
                   ":1: faults is a list of tables, so mind the double braces");
    expect_refusal("return scenario { faults = { 5 } }", ":1: fault 1 is no table");
    expect_refusal("return scenario { faults = { drop() } }", ":1: fault 1: ");
    expect_refusal("local t = {} for i = 1, 1001 do t[i] = {} end return scenario { faults = t }",
                   ":1: faults has too many entries");
    expect_refusal("local t = {}\nt.act = t\nreturn scenario { faults = { t } }",
                   ":3: fault 1: act: a table cannot contain itself");
}

Test(script, words_that_are_wrong_are_named_with_their_line)
{
    expect_fault_refused("at = 'recieved', act = drop()",
                         ":3: fault 1: 'recieved' is no failpoint (did you mean received?)");
    expect_fault_refused("at = 'received'", ":1: fault 1: act is missing");
    expect_fault_refused("act = drop()", ":3: fault 1: at is missing");
    expect_fault_refused("at = 'received', act = drop", ":1: fault 1: act: a function cannot");
    expect_fault_refused("at = 'received', act = 'drop'", ":1: fault 1: an action is a call");
    expect_fault_refused("at = 'received', act = {{{}}}", ":1: fault 1: an action is a call");
    expect_fault_refused("at = {'received'}, act = drop()",
                         ":3: fault 1: at is the name of one failpoint, of received, before");
    expect_fault_refused("kind = 'drop'", ":1: fault 1: this is an action; a fault says where");
    expect_fault_refused("at = 'received', act = {{{drop(), delay('1s')}}}",
                         ":3: fault 1: delay cannot follow on drop");
    expect_fault_refused("at = 'received', act = slow()", ":3: 'slow' is not defined; psp-harness");
    expect_fault_refused("at = os.time(), act = drop()", ":3: 'os' is not defined here: a script");
    expect_fault_refused("at = 'received', act = dorp()",
                         ":3: 'dorp' is not defined (did you mean drop?)");
    expect_fault_refused("at = 'received', attempts = 1, act = drop()",
                         ":3: fault 1: a fault has no");
    expect_fault_refused("at = 'received', attempt = 0, act = drop()", ":3: fault 1: attempt is a");
    expect_fault_refused("at = 'received', on = 'POST', act = drop()",
                         ":3: fault 1: on = \"POST\"");
    expect_fault_refused("at = 'received', when = true, act = drop()", ":3: fault 1: when is a");
    expect_fault_refused("at = 'responded', act = drop()", ":3: fault 1: drop makes no sense at");
    expect_fault_refused("at = 'after_commit', act = decline()", ":3: fault 1: decline makes no");
}

Test(script, options_of_actions_that_are_wrong)
{
    expect_fault_refused("at = 'received', act = delay()", ":3: fault 1: delay needs ms");
    expect_fault_refused("at = 'received', act = delay('2x')", ":3: fault 1: '2x' needs a unit");
    expect_fault_refused("at = 'received', act = delay(-1)", ":3: fault 1: ms is text");
    expect_fault_refused("at = 'received', act = delay(0/0)",
                         ":3: fault 1: ms: a number has to be");
    expect_fault_refused("at = 'received', act = respond()", ":3: fault 1: respond needs status");
    expect_fault_refused("at = 'received', act = respond(99)",
                         ":3: fault 1: status is a whole number");
    expect_fault_refused("at = 'received', act = respond('x')",
                         ":3: fault 1: status is a whole number");
    expect_fault_refused("at = 'received', act = respond(500, {bdy = 'x'})",
                         ":3: fault 1: respond has no option 'bdy' (did you mean body?)");
    expect_fault_refused("at = 'received', act = respond(500, 'x', 'y')",
                         ":3: fault 1: headers is");
    expect_fault_refused("at = 'received', act = respond(500, {store = true})",
                         ":3: fault 1: store makes no sense");
    expect_fault_refused("at = 'received', act = crash_client('NOPE')",
                         ":3: fault 1: signal is one");
    expect_fault_refused("at = 'received', act = crash_psp(true)", ":3: fault 1: down is text");
    expect_fault_refused("at = 'received', act = decline(5)", ":3: fault 1: code is text");
}

/* The action that EXPRESSION makes, as a person reads it. */
static void expect_action(const char *expression, const char *wanted)
{
    char text[300];
    snprintf(text, sizeof text, "return scenario { faults = { { at = 'received', act = %s } } }",
             expression);
    struct buf fate = {0};
    struct script *script = load(text);
    struct attempt attempt = post(1, "a");
    fault_source_ask(script_faults(script), &attempt, FAILPOINT_RECEIVED, note, &fate);
    cr_expect_str_eq(buf_string(&fate), wanted, "%s: %s", expression, buf_string(&fate));
    buf_release(&fate);
    script_free(script);
}

Test(script, every_word_makes_its_action)
{
    expect_action("pass()", "pass");
    expect_action("drop()", "drop");
    expect_action("reset()", "reset");
    expect_action("hang()", "hang");
    expect_action("delay('1.5s')", "delay 1500ms");
    expect_action("delay(20)", "delay 20ms");
    expect_action("delay { ms = '2s' }", "delay 2s");
    expect_action("{ { delay('2s'), delay('1s') }, drop() }", "delay 2s");
    expect_action("decline()", "decline");
    expect_action("decline('lost_card')", "decline lost_card");
    expect_action("decline { code = 'lost_card' }", "decline lost_card");
    expect_action("respond(503)", "respond 503");
    expect_action("respond { status = 503 }", "respond 503");
    expect_action("crash_psp()", "crash_psp");
    expect_action("crash_psp('500ms')", "crash_psp 500ms");
    expect_action("crash_psp { down = '1s' }", "crash_psp 1s");
    expect_action("crash_client()", "crash_client");
    expect_action("crash_client('TERM')", "crash_client SIGTERM");
    expect_action("crash_client { after = '20ms', signal = 'SIGINT' }", "crash_client SIGINT 20ms");
}

static void keep(void *context, const struct action *action)
{
    *(struct action *)context = action_copy(action);
}

static void expect_response(const char *expression, const char *body, const char *retry_after)
{
    char text[300];
    snprintf(text, sizeof text, "return scenario { faults = { { at = 'responding', act = %s } } }",
             expression);
    struct script *script = load(text);
    struct attempt attempt = post(1, "a");
    struct action action;
    fault_source_ask(script_faults(script), &attempt, FAILPOINT_RECEIVED, keep, &action);
    action_release(&action);
    fault_source_ask(script_faults(script), &attempt, FAILPOINT_RESPONDING, keep, &action);
    cr_expect_eq(action.status, 503);
    cr_expect_eq(strcmp(body, action.text == NULL ? "" : action.text), 0, "%s", expression);
    cr_expect_str_eq(json_get_string(action.headers, "Retry-After"), retry_after, "%s", expression);
    action_release(&action);
    script_free(script);
}

Test(script, an_answer_can_be_written_in_three_ways)
{
    expect_response("respond(503, 'busy', {['Retry-After'] = '1'})", "busy", "1");
    expect_response("respond(503, {body = 'busy', headers = {['Retry-After'] = 2}})", "busy", "2");
    expect_response("respond {status = 503, headers = {['Retry-After'] = '3'}}", "", "3");
}

Test(script, faults_strike_the_attempts_of_an_order)
{
    struct script *script =
        load("return scenario { faults = {"
             "{ on = 'POST *', attempt = 1, at = 'after_commit', act = drop() },"
             "{ on = 'POST *', attempt = {2, 3}, at = 'received', act = hang() },"
             "} }");
    expect_fate(script, post(1, "a"), "pass pass drop pass pass");
    expect_fate(script, post(2, "b"), "pass pass drop pass pass");
    expect_fate(script, post(3, "a"), "hang pass pass pass pass");
    expect_fate(script, post(5, "a"), "hang pass pass pass pass");
    expect_fate(script, post(7, "a"), PASS5);
    script_free(script);
}

Test(script, a_condition_narrows_a_fault_before_it_counts)
{
    struct script *script =
        load("return scenario { faults = { { attempt = 1, at = 'received',"
             "when = function(req) return req.number > 2 end, act = drop() } } }");
    expect_fate(script, post(1, "a"), PASS5);
    expect_fate(script, post(3, "a"), "drop pass pass pass pass");
    expect_fate(script, post(5, "a"), PASS5);
    script_free(script);
}

Test(script, one_fault_may_stand_in_two_places)
{
    struct script *script = load("local f = { attempt = 1, at = 'received', act = drop(),"
                                 "when = function() return true end }\n"
                                 "return scenario { faults = { f, f } }");
    expect_fate(script, post(1, "a"), "drop pass pass pass pass");
    script_free(script);
}

Test(script, a_condition_that_fails_is_told_once_and_nothing_hangs, .init = cr_redirect_stderr)
{
    struct script *script = load("return scenario { faults = { { at = 'received', act = drop(),\n"
                                 "when = function(req) return req.params.nope.x end } } }");
    expect_fate(script, post(1, "a"), PASS5);
    expect_fate(script, post(2, "a"), PASS5);
    cr_assert_not_null(script_error(script));
    cr_assert_not_null(strstr(script_error(script), ":2: attempt to index a nil value"));
    script_free(script);
}

Test(script, a_function_sees_the_request_at_every_failpoint)
{
    struct script *script = load(
        "local seen = {}\n"
        "return scenario { faults = function(req)\n"
        "  assert(req.number == 7 and req.method == 'POST' and req.path == '/v1/refunds')\n"
        "  assert(req.route == 'POST /v1/refunds' and req.key == 'k1' and req.order == 'order_1')\n"
        "  assert(req.amount == 1234 and req.currency == 'usd' and req.account == 'sk_test_1')\n"
        "  assert(req.connection == 3 and req.on_connection == 2)\n"
        "  assert(req.params['metadata[order_id]'] == 'order_1')\n"
        "  seen[#seen + 1] = req.at\n"
        "  if #seen == 5 then\n"
        "    assert(table.concat(seen, ' ') ==\n"
        "      'received before_commit after_commit responding responded')\n"
        "    return crash_client()\n"
        "  end\n"
        "end }");
    char method[] = "POST", path[] = "/v1/refunds", route[] = "POST /v1/refunds", key[] = "k1";
    char order[] = "order_1", currency[] = "usd", account[] = "sk_test_1";
    struct attempt attempt = {.number = 7,
                              .method = method,
                              .path = path,
                              .route = route,
                              .key = key,
                              .order = order,
                              .currency = currency,
                              .account = account,
                              .amount = 1234,
                              .connection = 3,
                              .on_connection = 2,
                              .params = json_object()};
    json_set_string(attempt.params, "metadata[order_id]", "order_1");
    expect_fate(script, attempt, "pass pass pass pass crash_client");
    cr_assert_null(script_error(script), "%s", script_error(script));
    json_free(attempt.params);
    script_free(script);
}

Test(script, what_is_not_known_of_a_request_is_nil)
{
    struct script *script =
        load("return scenario { faults = function(req)\n"
             "assert(req.order == nil and req.amount == nil and req.key == nil)\n"
             "for _ in pairs(req.params) do error('params') end\n"
             "return false end }");
    expect_fate(script, post(1, NULL), PASS5);
    cr_assert_null(script_error(script), "%s", script_error(script));
    script_free(script);
}

/* A function whose BODY goes wrong: the request passes, and the error is remembered. */
static void expect_function_error(const char *body, const char *wanted)
{
    char text[500];
    snprintf(text, sizeof text, "return scenario {\nfaults = function(req)\n%s\nend }", body);
    struct script *script = load(text);
    expect_fate(script, post(1, "a"), PASS5);
    cr_assert_not_null(script_error(script), "%s", body);
    cr_expect_not_null(strstr(script_error(script), wanted), "%s: %s", body, script_error(script));
    struct err_text text_unstruck;
    cr_expect_eq(script_unstruck(script, 0, &text_unstruck), ERR_OK);
    script_free(script);
}

Test(script, a_function_that_goes_wrong_never_leaves_a_request_hanging, .init = cr_redirect_stderr)
{
    expect_function_error("return dorp()", ":3: 'dorp' is not defined (did you mean drop?)");
    expect_function_error("return 5", ":2: faults(req) at received: an action is a call");
    expect_function_error("return 'drop'", ":2: faults(req) at received: an action is a call");
    expect_function_error("return drop", ":2: faults(req) at received: a function cannot");
    expect_function_error("return req.ammount == 5",
                          ":3: a request has no 'ammount' (did you mean amount?): it has number, ");
    expect_function_error("return req.attempt", ":3: a request has no 'attempt': it has number");
    expect_function_error("return { kind = 'dorp' }", ":2: faults(req) at received: 'dorp' is no");
    expect_function_error("if req.at == 'responded' then return drop() end",
                          ":3: faults(req) at responded: drop makes no sense");
    expect_function_error("if req.at == 'received' then return respond(500, {store = true}) end",
                          ":3: faults(req) at received: store");
    expect_function_error("while true do end", ":3: the script does not come back");
    expect_function_error("local t = {} while true do t[#t + 1] = {} end", ":3: the script needs");
    expect_function_error("error({})", ":3: the script raised an error that is a table");
}

Test(script, the_first_error_is_the_one_that_counts, .init = cr_redirect_stderr)
{
    struct script *script = load("return scenario { faults = function(req)\n"
                                 "error('number ' .. req.number .. ' at ' .. req.at) end }");
    expect_fate(script, post(1, "a"), PASS5);
    expect_fate(script, post(2, "a"), PASS5);
    cr_assert_not_null(strstr(script_error(script), ":2: number 1 at received"));
    script_free(script);
}

Test(script, only_the_harness_can_kill_a_client, .init = cr_redirect_stderr)
{
    struct script_options alone = {.knows_clients = false};
    struct script *script;
    struct err_text why;
    expect_refusal_by(alone,
                      "return scenario { faults = {\n{ at = 'received', act = crash_client() } } }",
                      ":2: crash_client: only psp-harness can do that");
    struct scripted file = scripted_new("return scenario { faults = function(req)\n"
                                        "return crash_client() end }");
    cr_assert_eq(script_load(file.file, &alone, &script, &why), ERR_OK);
    expect_fate(script, post(1, "a"), PASS5);
    cr_assert_not_null(
        strstr(script_error(script), ":2: faults(req) at received: crash_client: only"));
    script_free(script);
    scripted_remove(&file);
}

static void expect_unstruck(const struct script *script, size_t n, const char *wanted)
{
    struct err_text text = {0};
    cr_assert_eq(script_unstruck(script, n, &text), ERR_OK, "%zu", n);
    cr_expect(strncmp(text.text, wanted, strlen(wanted)) == 0, "%s", text.text);
}

Test(script, says_which_faults_never_struck)
{
    struct err_text text;
    struct script *script = load("return scenario { faults = {\n"
                                 "{ on = 'POST *', attempt = 1, at = 'received', act = drop() },\n"
                                 "{ on = 'GET *', at = 'received', act = reset() },\n"
                                 "{ at = 'received', act = hang(), when = function() end } } }");
    expect_unstruck(script, 0, "drop at received on POST *, attempt 1 (");
    expect_unstruck(script, 2, "hang at received on * *, when its condition holds (");
    expect_fate(script, post(1, "a"), "drop pass pass pass pass");
    expect_unstruck(script, 0, "reset at received on GET * (");
    expect_unstruck(script, 1, "hang at received");
    cr_assert_eq(script_unstruck(script, 2, &text), ERR_END);
    script_free(script);
}

Test(script, a_function_has_struck_once_it_returned_an_action)
{
    struct err_text text;
    struct script *script =
        load("return scenario { faults = function(req)\n"
             "if req.number == 2 and req.at == 'received' then return drop() end\n"
             "return pass() end }");
    expect_fate(script, post(1, "a"), PASS5);
    expect_unstruck(script, 0, "faults(req) never returned an action (");
    cr_assert_eq(script_unstruck(script, 1, &text), ERR_END);
    expect_fate(script, post(2, "a"), "drop pass pass pass pass");
    cr_assert_eq(script_unstruck(script, 0, &text), ERR_END);
    script_free(script);
}

Test(script, tables_are_walked_in_the_same_order_every_time)
{
    struct script *script =
        load("local t = { z = 1, b = 2, [3] = 3, a = 4, [1] = 5, [true] = 6, [2.5] = 7 }\n"
             "local order = {}\n"
             "for name, value in pairs(t) do order[#order + 1] = tostring(name) .. value end\n"
             "assert(table.concat(order, ' ') == '15 2.57 33 a4 b2 z1 true6')\n"
             "return scenario {}");
    script_free(script);
    expect_refusal("for _ in pairs(nil) do end", ":1: pairs takes a table, not a nil");
}

Test(script, a_script_that_spoils_its_own_words_spoils_only_them)
{
    expect_refusal("pairs = nil string = nil table = nil type = nil error = nil\n"
                   "return scenario { faults = { { at = 'x', act = respond(503, {}) } } }",
                   ":2: fault 1: 'x' is no failpoint");
    expect_refusal("scenario = 5\nreturn scenario {}", ":2: attempt to call a number value");
    struct script *script = load("scenario = nil return scenario { title = 'not spoilt' }");
    script_free(script);
}
