/* run(world): what a script may ask of the world, and what becomes of errors on either side. */
#include "scenario.h"
#include "scripted.h"

#include "buf.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool has_faults(const struct scenario *scenario)
{
    struct err_text text;
    return scenario_unstruck(scenario, 0, &text) == ERR_OK;
}

/* A world that only writes down what it is asked for. */
struct diary {
    struct buf said;
    struct scenario *scenario; /* whose faults are asked while the world waits; may be NULL */
    enum err wait_err;
};

static enum err diary_start(void *world, const char *order, struct err_text *why)
{
    struct diary *diary = world;
    (void)why;
    buf_addf(&diary->said, "start(%s) ", order == NULL ? "" : order);
    return ERR_OK;
}

static void note(void *context, const struct action *action)
{
    struct diary *diary = context;
    action_describe(action, &diary->said);
    buf_add_char(&diary->said, ' ');
}

static enum err diary_wait(void *world, struct err_text *why)
{
    struct diary *diary = world;
    char method[] = "POST", path[] = "/v1/charges";
    struct attempt attempt = {.number = 1, .method = method, .path = path, .amount = -1};
    buf_add_string(&diary->said, "wait ");
    if (diary->scenario != NULL) {
        struct fault_source faults = scenario_faults(diary->scenario);
        fault_source_ask(faults, &attempt, FAILPOINT_RECEIVED, note, diary);
        fault_source_end(faults, &attempt);
    }
    return diary->wait_err == ERR_OK ? ERR_OK : err_say(why, diary->wait_err, "the disk is full");
}

static enum err diary_advance(void *world, int64_t ms, struct err_text *why)
{
    struct diary *diary = world;
    (void)why;
    buf_addf(&diary->said, "advance(%lld) ", (long long)ms);
    return ERR_OK;
}

static enum err diary_work(void *world, struct err_text *why)
{
    struct diary *diary = world;
    (void)why;
    buf_add_string(&diary->said, "work ");
    return ERR_OK;
}

static enum err diary_settle(void *world, struct err_text *why)
{
    struct diary *diary = world;
    (void)why;
    buf_add_string(&diary->said, "settle ");
    return ERR_OK;
}

static const struct world_ops OPS = {diary_start, diary_wait, diary_advance, diary_work,
                                     diary_settle};
static const struct scenario_order ORDERS[] = {{"order_1", 1000, "usd"}, {"order_2", 2500, "eur"}};

static enum err play(struct scenario *scenario, struct diary *diary, struct err_text *why)
{
    *why = (struct err_text){0};
    return scenario_run(scenario, &OPS, diary, ORDERS, 2, why);
}

static struct scenario *load(const char *text)
{
    struct scenario *scenario;
    struct err_text why = {0};
    struct scripted file = scripted_new(text);
    cr_assert_eq(scenario_load(file.file, 1, &scenario, &why), ERR_OK, "%s\n%s", text, why.text);
    scripted_remove(&file);
    return scenario;
}

static struct scenario *load_run(const char *body)
{
    char text[1000];
    snprintf(text, sizeof text, "return scenario { run = function(world)\n%s\nend }", body);
    return load(text);
}

static void expect_diary(const char *body, const char *wanted)
{
    struct err_text why;
    struct diary diary = {0};
    struct scenario *scenario = load_run(body);
    cr_expect_eq(play(scenario, &diary, &why), ERR_OK, "%s: %s", body, why.text);
    cr_expect_str_eq(buf_string(&diary.said), wanted, "%s: %s", body, buf_string(&diary.said));
    buf_release(&diary.said);
    scenario_free(scenario);
}

static void expect_broken(const char *body, const char *wanted)
{
    struct err_text why;
    struct diary diary = {0};
    struct scenario *scenario = load_run(body);
    cr_expect_eq(play(scenario, &diary, &why), ERR_SCRIPT, "%s", body);
    cr_expect(strncmp(why.text, scenario_file(scenario), strlen(scenario_file(scenario))) == 0);
    cr_expect_not_null(strstr(why.text, wanted), "%s: %s", body, why.text);
    buf_release(&diary.said);
    scenario_free(scenario);
}

Test(scenario, has_its_title_or_its_file_name)
{
    struct scenario *scenario = load("return scenario { title = 'lost', orders = 2 }");
    cr_assert_str_eq(scenario_title(scenario), "lost");
    cr_assert_eq(scenario_orders(scenario), 2);
    scenario_free(scenario);
    scenario = load("return scenario {}");
    cr_assert_str_eq(scenario_title(scenario), scenario_file(scenario));
    cr_assert_not(has_faults(scenario));
    scenario_free(scenario);
}

Test(scenario, one_that_is_broken_is_not_loaded)
{
    struct scenario *scenario;
    struct err_text why = {0};
    struct scripted file = scripted_new("return scenario {\n}}");
    cr_assert_eq(scenario_load(file.file, 1, &scenario, &why), ERR_SCRIPT);
    cr_assert_null(scenario);
    scripted_expect(&file, why.text, ":2: ");
    scripted_remove(&file);
    scenario_free(NULL);
}

Test(scenario, without_a_run_it_settles)
{
    struct err_text why;
    struct diary diary = {0};
    struct scenario *scenario = load("return scenario {}");
    cr_assert_eq(play(scenario, &diary, &why), ERR_OK);
    cr_assert_str_eq(buf_string(&diary.said), "settle ");
    buf_release(&diary.said);
    scenario_free(scenario);
}

Test(scenario, run_moves_the_world)
{
    expect_diary("world:start():wait():advance('25h'):start():wait():work():settle()",
                 "start() wait advance(90000000) start() wait work settle ");
    expect_diary("world:start('order_2') world:start(world.orders[1]) world:start(nil)",
                 "start(order_2) start(order_1) start() ");
    expect_diary("world:advance('0') world:advance('1.5s')", "advance(0) advance(1500) ");
    expect_diary("for _, order in ipairs(world.orders) do world:start(order) end",
                 "start(order_1) start(order_2) ");
    expect_diary("", "");
}

Test(scenario, run_sees_the_orders)
{
    expect_diary("assert(#world.orders == 2 and world.orders[1].id == 'order_1')\n"
                 "assert(world.orders[2].amount == 2500 and world.orders[2].currency == 'eur')",
                 "");
}

Test(scenario, mistakes_in_run_name_the_line_and_the_remedy)
{
    expect_broken("\nworld:strat()",
                  ":3: a world has no 'strat' (did you mean start?): it has start, wait");
    expect_broken(
        "\nreturn world.orders[1].ammount",
        ":3: an order has no 'ammount' (did you mean amount?): it has id, amount, currency");
    expect_broken("world.wait()", ":2: write world:wait(…), with a colon");
    expect_broken("world:advance(5)", ":2: world:advance takes a duration: world:advance(\"25h\")");
    expect_broken("world:advance()", ":2: world:advance takes a duration");
    expect_broken("world:advance('25 hours')", ":2: world:advance: '25 hours' ");
    expect_broken("world:start('order_3')", ":2: world:start(order) takes one of world.orders");
    expect_broken("world:start({})", ":2: world:start(order) takes one of world.orders");
    expect_broken("world:start(true)", ":2: world:start(order) takes one of world.orders");
    expect_broken("local x = nil .. 'y'", ":2: attempt to concatenate a nil value");
    expect_broken("while true do pcall(function() while true do end end) end",
                  ":2: the script does not come back");
}

Test(scenario, an_error_of_the_world_ends_the_run_as_it_is)
{
    struct err_text why;
    struct diary diary = {.wait_err = ERR_IO};
    struct scenario *scenario = load_run(
        "while true do pcall(function() world:start() world:wait() world:settle() end) end");
    cr_assert_eq(play(scenario, &diary, &why), ERR_IO);
    cr_assert_str_eq(why.text, "the disk is full");
    cr_assert_str_eq(buf_string(&diary.said), "start() wait ");
    buf_release(&diary.said);
    scenario_free(scenario);
}

Test(scenario, faults_are_asked_while_run_waits)
{
    struct err_text why;
    struct diary diary = {0};
    diary.scenario =
        load("local calls = 0\n"
             "return scenario {\n"
             "  faults = function(req) calls = calls + 1 return drop() end,\n"
             "  run = function(world) world:wait() assert(calls == 1) world:wait() end }");
    cr_assert_eq(play(diary.scenario, &diary, &why), ERR_OK, "%s", why.text);
    cr_assert_str_eq(buf_string(&diary.said), "wait drop wait drop ");
    buf_release(&diary.said);
    scenario_free(diary.scenario);
}

Test(scenario, faults_that_never_come_back_do_not_end_the_run, .init = cr_redirect_stderr)
{
    struct err_text why;
    struct diary diary = {0};
    diary.scenario = load("return scenario {\n"
                          "  faults = function(req) while true do end end,\n"
                          "  run = function(world) world:wait():wait() end }");
    cr_assert_eq(play(diary.scenario, &diary, &why), ERR_OK, "%s", why.text);
    cr_assert_str_eq(buf_string(&diary.said), "wait pass wait pass ");
    cr_assert_not_null(strstr(scenario_error(diary.scenario), ":2: the script does not come back"));
    buf_release(&diary.said);
    scenario_free(diary.scenario);
}

Test(scenario, the_world_is_not_for_faults, .init = cr_redirect_stderr)
{
    struct err_text why;
    struct diary diary = {0};
    diary.scenario = load("local w\n"
                          "return scenario {\n"
                          "  faults = function(req) w:advance('1h') end,\n"
                          "  run = function(world) w = world world:wait() end }");
    cr_assert_eq(play(diary.scenario, &diary, &why), ERR_OK, "%s", why.text);
    cr_assert_str_eq(buf_string(&diary.said), "wait pass ");
    cr_assert_not_null(strstr(scenario_error(diary.scenario), "only inside run(world)"));
    cr_assert_eq(diary_wait(&diary, &why), ERR_OK); /* and not after run either */
    buf_release(&diary.said);
    scenario_free(diary.scenario);
}

Test(scenario, says_which_faults_never_struck)
{
    struct err_text text;
    struct scenario *scenario =
        load("return scenario { faults = { { at = 'received', act = drop() } } }");
    cr_assert_eq(scenario_unstruck(scenario, 0, &text), ERR_OK);
    cr_assert_eq(strncmp(text.text, "drop at received on * * (", 25), 0, "%s", text.text);
    cr_assert_eq(scenario_unstruck(scenario, 1, &text), ERR_END);
    scenario_free(scenario);
}

/* --- our own scenarios ------------------------------------------------------------------------ */

/* The text of a file of the source tree. */
static struct buf source(const char *path)
{
    char name[500];
    char part[4096];
    size_t length;
    struct buf text = {0};
    snprintf(name, sizeof name, "%s/%s", getenv("SOURCE_DIR"), path);
    FILE *file = fopen(name, "re");
    cr_assert_not_null(file, "%s: set SOURCE_DIR to the source tree", name);
    while ((length = fread(part, 1, sizeof part, file)) > 0)
        buf_add(&text, part, length);
    fclose(file);
    return text;
}

static void expect_mention(const char *path, const char *before, const char *word,
                           const char *after)
{
    struct buf text = source(path);
    char quoted[100];
    snprintf(quoted, sizeof quoted, "%s%s%s", before, word, after);
    cr_expect_not_null(strstr(buf_string(&text), quoted), "%s does not mention %s", path, quoted);
    buf_release(&text);
}

Test(scenario, each_of_ours_loads_and_is_listed)
{
    char pattern[500];
    glob_t found;
    snprintf(pattern, sizeof pattern, "%s/scenarios/*.lua", getenv("SOURCE_DIR"));
    cr_assert_eq(glob(pattern, 0, NULL, &found), 0, "%s", pattern);
    cr_assert_geq(found.gl_pathc, 11);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        struct scenario *scenario;
        struct err_text why = {0};
        char name[100];
        const char *base = strrchr(found.gl_pathv[i], '/') + 1;
        snprintf(name, sizeof name, "%.*s", (int)(strlen(base) - strlen(".lua")), base);
        cr_assert_eq(scenario_load(found.gl_pathv[i], 1, &scenario, &why), ERR_OK, "%s", why.text);
        cr_expect_str_neq(scenario_title(scenario), found.gl_pathv[i], "%s has no title", base);
        cr_expect_eq(has_faults(scenario), *base != 'a', "%s", base);
        expect_mention("scenarios/CATALOGUE.md", "`", name, "`");
        scenario_free(scenario);
    }
    globfree(&found);
}

Test(scenario, every_action_is_a_word_and_every_list_has_it)
{
    for (int i = 0; i < ACTION_COUNT; i++) {
        const char *name = action_name((enum action_kind)i);
        char text[200];
        snprintf(text, sizeof text, "local word = %s\nreturn scenario { title = type(word) }",
                 name);
        struct scenario *scenario = load(text);
        cr_expect_str_eq(scenario_title(scenario), "function");
        scenario_free(scenario);
        expect_mention("scenarios/README.md", "`", name, "(");
        expect_mention(".luacheckrc", "\"", name, "\"");
        expect_mention(".luarc.json", "\"", name, "\"");
    }
    for (int i = 0; i < FAILPOINT_COUNT; i++)
        expect_mention("scenarios/README.md", "`", failpoint_name((enum failpoint)i), "`");
}
