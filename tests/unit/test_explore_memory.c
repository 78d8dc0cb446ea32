/* What a laboratory remembers, and which part of a space is whose. */
#include "model_lab.h"
#include "shard.h"

#include <string.h>
#include <sys/stat.h>

static struct scratch scratch;
static struct scratch file;
static struct err_text why;

static void begin(void)
{
    scratch = scratch_new();
    file = scratch_file(&scratch, "trials.jsonl");
}

static void end(void)
{
    scratch_remove(&scratch);
}

static void write_file(const char *text)
{
    FILE *out = fopen(file.path, "w");
    cr_assert_not_null(out);
    fputs(text, out);
    fclose(out);
}

static long size_of_file(void)
{
    struct stat stat_of;
    cr_assert_eq(stat(file.path, &stat_of), 0);
    return (long)stat_of.st_size;
}

static struct json *setup_of(const char *client)
{
    struct json *setup = json_object();
    json_set_string(setup, "client", client);
    json_set_string(setup, "seed", "9223372036854775807");
    return setup;
}

static struct lab *lab_new(void)
{
    const struct lab_options options = {.workers = 1};
    struct lab *lab;
    cr_assert_eq(lab_open(&options, &lab, &why), ERR_OK, "%s", why.text);
    return lab;
}

static enum err remember(struct lab *lab, const char *client, bool again)
{
    why.text[0] = '\0';
    return lab_remember(lab, file.path, setup_of(client), again, &why);
}

static bool knows(struct lab *lab, const struct plan *plan, int orders, int turn)
{
    const struct trial *answer;
    struct trial_question question = {plan, orders, turn, false};
    lab_ask(lab, &question, 1, &answer);
    return answer != NULL;
}

static void write_model(int orders, int turn)
{
    const struct plan nothing = {0};
    struct model model = {.file = fopen(file.path, "a")};
    model_write(&model, &nothing, orders, turn);
    fclose(model.file);
}

/* A file of an exploration of CLIENT that knows one trial. */
static void write_memory(const char *client)
{
    struct lab *lab = lab_new();
    cr_assert_eq(remember(lab, client, false), ERR_OK, "%s", why.text);
    lab_close(lab);
    write_model(1, 0);
}

/* --- the file -------------------------------------------------------------------------------- */

Test(explore_memory, begins_anew_or_goes_on, .init = begin, .fini = end)
{
    const struct plan nothing = {0};
    write_memory("pay");
    struct lab *lab = lab_new();
    cr_assert_eq(remember(lab, "pay", true), ERR_OK, "%s", why.text);
    cr_expect(knows(lab, &nothing, 1, 0));
    cr_expect_not(knows(lab, &nothing, 3, 0), "with other orders it is another question");
    cr_expect_not(knows(lab, &nothing, 1, 1), "and another turn as well");
    cr_expect_eq(lab_played(lab), 0);
    lab_close(lab);

    lab = lab_new();
    cr_assert_eq(remember(lab, "pay", false), ERR_OK, "%s", why.text);
    cr_expect_not(knows(lab, &nothing, 1, 0));
    lab_close(lab);
}

Test(explore_memory, goes_on_with_nothing, .init = begin, .fini = end)
{
    struct lab *lab = lab_new();
    cr_expect_eq(remember(lab, "pay", true), ERR_OK, "%s", why.text);
    lab_close(lab);
    lab = lab_new();
    cr_expect_eq(remember(lab, "other", true), ERR_INVALID, "the first has left its setup");
    lab_close(lab);
}

/* Killed while it was writing. */
Test(explore_memory, leaves_out_a_line_that_was_cut_off, .init = begin, .fini = end)
{
    const struct plan nothing = {0};
    write_memory("pay");
    long whole = size_of_file();
    write_model(3, 0);
    cr_assert_eq(truncate(file.path, size_of_file() - 10), 0);
    struct lab *lab = lab_new();
    cr_assert_eq(remember(lab, "pay", true), ERR_OK, "%s", why.text);
    cr_expect(knows(lab, &nothing, 1, 0));
    cr_expect_not(knows(lab, &nothing, 3, 0));
    cr_expect_eq(size_of_file(), whole, "what comes next begins a line of its own");
    lab_close(lab);
    write_model(3, 0);
    lab = lab_new();
    cr_assert_eq(remember(lab, "pay", true), ERR_OK, "%s", why.text);
    cr_expect(knows(lab, &nothing, 3, 0));
    lab_close(lab);
}

Test(explore_memory, leaves_out_a_first_line_that_was_cut_off, .init = begin, .fini = end)
{
    write_file("{\"setup\":{\"cli");
    struct lab *lab = lab_new();
    cr_expect_eq(remember(lab, "pay", true), ERR_OK, "%s", why.text);
    lab_close(lab);
    lab = lab_new();
    cr_expect_eq(remember(lab, "other", true), ERR_INVALID);
    lab_close(lab);
}

static void expect_refusal(const char *words)
{
    struct lab *lab = lab_new();
    long before = size_of_file();
    cr_expect_eq(remember(lab, "pay", true), ERR_INVALID);
    cr_expect_not_null(strstr(why.text, words), "%s", why.text);
    cr_expect_eq(size_of_file(), before, "it is not touched");
    lab_close(lab);
}

Test(explore_memory, refuses_that_of_another_exploration, .init = begin, .fini = end)
{
    write_memory("another");
    expect_refusal("is of another exploration");
}

Test(explore_memory, refuses_what_it_has_not_written, .init = begin, .fini = end)
{
    write_file("# notes\n");
    expect_refusal("is no memory of an exploration, see line 1");
    write_file("{\"plan\":{}}\n");
    expect_refusal("line 1");
    write_memory("pay");
    FILE *out = fopen(file.path, "a");
    fputs("{\"plan\":{\"delivery\":\"once\",\"choices\":[]},\"trial\":{\"end\":\"never\"}}\n", out);
    fclose(out);
    expect_refusal("line 3");
}

Test(explore_memory, is_of_one_exploration_at_a_time, .init = begin, .fini = end)
{
    struct lab *one = lab_new();
    struct lab *other = lab_new();
    cr_assert_eq(remember(one, "pay", false), ERR_OK, "%s", why.text);
    long before = size_of_file();
    cr_expect_eq(remember(other, "pay", false), ERR_INVALID);
    cr_expect_not_null(strstr(why.text, "in use by another exploration"), "%s", why.text);
    cr_expect_eq(size_of_file(), before);
    cr_expect_eq(remember(other, "pay", true), ERR_INVALID);
    lab_close(other);
    lab_close(one);
    other = lab_new();
    cr_expect_eq(remember(other, "pay", true), ERR_OK, "it is free again: %s", why.text);
    lab_close(other);
}

Test(explore_memory, says_where_it_cannot_write, .init = begin, .fini = end)
{
    struct lab *lab = lab_new();
    cr_assert_eq(mkdir(file.path, 0700), 0);
    cr_expect_eq(remember(lab, "pay", false), ERR_IO);
    cr_expect_not_null(strstr(why.text, "cannot be written: Is a directory"), "%s", why.text);
    lab_close(lab);
}

Test(explore_memory, notices_a_full_disk, .init = begin, .fini = end)
{
    struct lab *lab = lab_new();
    cr_assert_eq(symlink("/dev/full", file.path), 0);
    enum err err = remember(lab, "pay", false);
    cr_expect(err == ERR_IO || lab_trouble(lab) != NULL);
    lab_close(lab);
}

/* --- several files --------------------------------------------------------------------------- */

Test(explore_memory, knows_what_any_file_knows, .init = begin, .fini = end)
{
    const struct plan nothing = {0};
    struct json *setup;
    write_memory("pay");
    struct lab *lab = model_lab(file.path);
    write_memory("pay");
    write_model(3, 0);
    cr_assert_eq(lab_recall(lab, file.path, &setup, &why), ERR_OK, "%s", why.text);
    cr_expect_str_eq(json_get_string(setup, "client"), "pay");
    cr_expect(knows(lab, &nothing, 1, 0));
    cr_expect(knows(lab, &nothing, 3, 0));
    json_free(setup);
    lab_close(lab);
}

Test(explore_memory, cannot_recall_what_is_not_there, .init = begin, .fini = end)
{
    struct json *setup = NULL;
    struct lab *lab = lab_new();
    cr_expect_eq(lab_recall(lab, file.path, &setup, &why), ERR_NOT_FOUND);
    cr_expect_not_null(strstr(why.text, "cannot be read"), "%s", why.text);
    write_file("");
    cr_expect_eq(lab_recall(lab, file.path, &setup, &why), ERR_INVALID);
    cr_expect_not_null(strstr(why.text, "is empty"), "%s", why.text);
    lab_close(lab);
}

/* --- a trial --------------------------------------------------------------------------------- */

static bool breaks(const struct plan *plan)
{
    (void)plan;
    return true;
}

Test(explore_trial, comes_back_from_json)
{
    const struct plan nothing = {0};
    const struct model model = {.breaks = breaks};
    struct trial trial = model_trial(&model, &nothing);
    struct trial read;
    struct json *json = trial_to_json(&trial);
    cr_assert_eq(trial_from_json(json, &read), ERR_OK);
    cr_expect_eq(read.end, TRIAL_broke);
    cr_expect_eq(read.invariant, INVARIANT_charged_once);
    cr_expect_eq(read.cause, CAUSE_new_key);
    cr_expect_str_eq(read.why, trial.why);
    cr_expect_str_eq(read.story, trial.story);
    cr_expect_str_eq(read.by_hand, trial.by_hand);
    cr_expect_str_eq(read.canonical, trial.canonical);
    cr_expect_str_eq(read.signature.hex, trial.signature.hex);
    cr_expect_eq(read.trace.count, trial.trace.count);
    json_free(json);
    trial_release(&read);
    trial_release(&trial);
}

static void expect_comparison(const char *one, const char *other, const char *words)
{
    char *texts[] = {mem_strdup(one), mem_strdup(other)};
    struct trial a = {.end = TRIAL_survived, .canonical = texts[0]};
    struct trial b = {.end = TRIAL_survived, .canonical = texts[1]};
    struct buf text = {0};
    trial_compare(&a, &b, &text);
    cr_expect_str_eq(buf_string(&text), words);
    buf_release(&text);
    free(texts[0]);
    free(texts[1]);
}

Test(explore_trial, is_compared_line_by_line)
{
    expect_comparison("a\nb\n", "a\nb\n", "");
    expect_comparison("a\nb\n", "a\nc\n", "event 2 is once b and once c");
    expect_comparison("a\nb\n", "a\n", "event 2 is once b and once the end");
    expect_comparison("a\n", "a\nb\n", "event 2 is once the end and once b");
    expect_comparison("", "a\n", "event 1 is once the end and once a");
}

/* --- shards ---------------------------------------------------------------------------------- */

static int shard;
static int shards;

static void expect_shard(int expected, int of)
{
    cr_assert_eq(shard_from_environment(&shard, &shards, &why), ERR_OK, "%s", why.text);
    cr_expect_eq(shard, expected);
    cr_expect_eq(shards, of);
}

Test(explore_shard, is_read)
{
    cr_assert_eq(shard_parse("2/3", &shard, &shards, &why), ERR_OK);
    cr_expect_eq(shard, 2);
    cr_expect_eq(shards, 3);
    static const char *const wrong[] = {"",      "2",    "0/3", "4/3", "2/",      "/3",
                                        "2/3/4", "-1/3", "a/b", "1/0", "2/99999", "2 /3"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        cr_expect_eq(shard_parse(wrong[i], &shard, &shards, &why), ERR_INVALID, "%s", wrong[i]);
        cr_expect_not_null(strstr(why.text, "is no part of a whole"), "%s", why.text);
    }
}

static void forget_pipelines(void)
{
    static const char *const names[] = {"CI_NODE_INDEX",          "CI_NODE_TOTAL",
                                        "CIRCLE_NODE_INDEX",      "CIRCLE_NODE_TOTAL",
                                        "BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT",
                                        "JOB_COMPLETION_INDEX",   "JOB_COMPLETIONS"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        unsetenv(names[i]);
}

static void say(const char *index, const char *number, const char *total, const char *count)
{
    forget_pipelines();
    setenv(index, number, 1);
    setenv(total, count, 1);
}

Test(explore_shard, is_what_a_pipeline_says)
{
    forget_pipelines();
    expect_shard(1, 1);
    say("CI_NODE_INDEX", "2", "CI_NODE_TOTAL", "3");
    expect_shard(2, 3);
    say("CIRCLE_NODE_INDEX", "0", "CIRCLE_NODE_TOTAL", "3");
    expect_shard(1, 3);
    say("BUILDKITE_PARALLEL_JOB", "2", "BUILDKITE_PARALLEL_JOB_COUNT", "3");
    expect_shard(3, 3);
    say("JOB_COMPLETION_INDEX", "1", "JOB_COMPLETIONS", "3");
    expect_shard(2, 3);
}

/* Kubernetes sets the one alone: without the other nobody knows of how many. */
Test(explore_shard, is_the_whole_when_half_of_it_is_said)
{
    forget_pipelines();
    setenv("CI_NODE_INDEX", "2", 1);
    expect_shard(1, 1);
}

Test(explore_shard, is_refused_when_a_pipeline_makes_no_sense)
{
    say("CI_NODE_INDEX", "0", "CI_NODE_TOTAL", "3");
    cr_expect_eq(shard_from_environment(&shard, &shards, &why), ERR_INVALID);
    cr_expect_not_null(strstr(why.text, "CI_NODE_INDEX is '0'"), "%s", why.text);
    say("JOB_COMPLETION_INDEX", "3", "JOB_COMPLETIONS", "3");
    cr_expect_eq(shard_from_environment(&shard, &shards, &why), ERR_INVALID);
    say("CIRCLE_NODE_INDEX", "one", "CIRCLE_NODE_TOTAL", "3");
    cr_expect_eq(shard_from_environment(&shard, &shards, &why), ERR_INVALID);
}
