#include "run_files.h"
#include "run_options.h"

#include <criterion/criterion.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct run_options options;
static struct err_text why;

/* Cuts LINE at its spaces, as a shell would. */
static enum err parse(const char *line)
{
    static char copy[256];
    static char *argv[32];
    size_t count = 0;
    snprintf(copy, sizeof copy, "%s", line);
    for (char *word = copy; *word != '\0';) {
        size_t length = strcspn(word, " ");
        char *next = word + length + (word[length] == ' ');
        word[length] = '\0';
        argv[count++] = word;
        word = next;
    }
    argv[count] = NULL;
    run_options_release(&options);
    why.text[0] = '\0';
    return run_options_parse(argv, &options, &why);
}

static void expect_refusal(const char *line, const char *words)
{
    cr_expect_eq(parse(line), ERR_INVALID, "%s", line);
    cr_expect_not_null(strstr(why.text, words), "%s: %s", line, why.text);
}

Test(run_options, have_defaults)
{
    cr_assert_eq(parse(""), ERR_OK);
    cr_expect_eq(options.seed, 1);
    cr_expect_eq(options.restarts, 5);
    cr_expect_eq(options.timeout_ms, 60000);
    cr_expect_eq(options.orders, 0);
    cr_expect_eq(options.jobs, 0);
    cr_expect_not(options.keep);
    cr_expect_eq(options.format, FORMAT_TEXT);
    cr_expect_null(options.history);
    cr_expect_null(options.command);
}

Test(run_options, are_read_in_every_form)
{
    cr_assert_eq(parse("a.lua --seed 7 -j 3 b.lua --orders=2 --restarts 0 --timeout 1.5s --keep "
                       "--format json --history out -- ./client --seed 9 -- x"),
                 ERR_OK, "%s", why.text);
    cr_expect_eq(options.seed, 7);
    cr_expect_eq(options.jobs, 3);
    cr_expect_eq(options.orders, 2);
    cr_expect_eq(options.restarts, 0);
    cr_expect_eq(options.timeout_ms, 1500);
    cr_expect(options.keep);
    cr_expect_eq(options.format, FORMAT_JSON);
    cr_expect_str_eq(options.history, "out");
    cr_assert_eq(options.path_count, 2);
    cr_expect_str_eq(options.paths[0], "a.lua");
    cr_expect_str_eq(options.paths[1], "b.lua");
    cr_expect_str_eq(options.command[0], "./client");
    cr_expect_str_eq(options.command[4], "x", "what follows is the client's own");
    cr_expect_null(options.command[5]);
    cr_assert_eq(parse("-j4 --jobs=5"), ERR_OK);
    cr_expect_eq(options.jobs, 5, "the last one counts");
    cr_assert_eq(parse("-h"), ERR_OK);
    cr_expect(options.help);
}

Test(run_options, are_refused_with_a_remedy)
{
    expect_refusal("--sed 1", "did you mean --seed?");
    expect_refusal("--restart=1", "did you mean --restarts?");
    expect_refusal("--banana", "no option '--banana' (see psp-harness run --help)");
    expect_refusal("-sed", "no option '-sed'");
    expect_refusal("-x", "no option '-x'");
    expect_refusal("--seed", "--seed needs a value");
    expect_refusal("--seed -- ./client", "--seed needs a value");
    expect_refusal("--seed x", "'x' is no number");
    expect_refusal("--seed -1", "'-1' is no number");
    expect_refusal("--orders 0", "from 1 to 1000");
    expect_refusal("--orders 1001", "from 1 to 1000");
    expect_refusal("--jobs 0", "from 1 to 256");
    expect_refusal("--timeout 5", "needs a unit");
    expect_refusal("--timeout 0", "longer");
    expect_refusal("--format xml", "text, json, tap or github");
    expect_refusal("--history=", "'' is no directory");
    expect_refusal("--keep=yes", "takes no value");
}

Test(run_options, describe_what_a_replay_needs)
{
    struct buf text = {0};
    cr_assert_eq(parse("-j 9 --keep --history out"), ERR_OK);
    run_options_describe(&options, &text);
    cr_expect_str_eq(buf_string(&text), " --seed 1");
    buf_clear(&text);
    cr_assert_eq(parse("--seed 5 --orders 2 --restarts 1 --timeout 90s"), ERR_OK);
    run_options_describe(&options, &text);
    cr_expect_str_eq(buf_string(&text), " --seed 5 --orders 2 --restarts 1 --timeout 90s");
    buf_clear(&text);
    run_options_help(&text);
    cr_expect_not_null(strstr(buf_string(&text), "-j, --jobs N "));
    buf_release(&text);
    run_options_release(&options);
}

/* --- files ------------------------------------------------------------------------------------ */

static void touch(const char *name)
{
    FILE *file = fopen(name, "w");
    cr_assert_not_null(file);
    fclose(file);
}

static char *in_new_directory(void)
{
    static char path[] = "/tmp/test_run_files.XXXXXX";
    cr_assert_not_null(mkdtemp(path));
    cr_assert_eq(chdir(path), 0);
    return path;
}

static int remove_entry(const char *path, const struct stat *info, int type, struct FTW *where)
{
    (void)info;
    (void)type;
    (void)where;
    return remove(path);
}

static void remove_all(const char *path)
{
    cr_assert_eq(nftw(path, remove_entry, 16, FTW_DEPTH | FTW_PHYS), 0);
}

Test(run_files, a_directory_stands_for_its_lua_files_by_name)
{
    char *path = in_new_directory();
    struct run_files files;
    mkdir("scenarios", 0777);
    mkdir("scenarios/lib.lua", 0777);
    touch("scenarios/b.lua");
    touch("scenarios/a.lua");
    touch("scenarios/.hidden.lua");
    touch("scenarios/README.md");
    touch("one.lua");
    const char *paths[] = {"one.lua", "scenarios/"};
    cr_assert_eq(run_files_find(paths, 2, &files, &why), ERR_OK, "%s", why.text);
    cr_assert_eq(files.count, 3);
    cr_expect_str_eq(files.names[0], "one.lua");
    cr_expect_str_eq(files.names[1], "scenarios/a.lua");
    cr_expect_str_eq(files.names[2], "scenarios/b.lua");
    run_files_release(&files);
    cr_assert_eq(run_files_find(NULL, 0, &files, &why), ERR_OK);
    cr_expect_eq(files.count, 2, "./scenarios is meant");
    run_files_release(&files);
    remove_all(path);
}

Test(run_files, nothing_there_is_said)
{
    char *path = in_new_directory();
    struct run_files files;
    const char *missing[] = {"none.lua"};
    const char *empty[] = {"empty"};
    mkdir("empty", 0777);
    cr_expect_eq(run_files_find(NULL, 0, &files, &why), ERR_NOT_FOUND);
    cr_expect_not_null(strstr(why.text, "name .lua files"));
    cr_expect_eq(run_files_find(missing, 1, &files, &why), ERR_NOT_FOUND);
    run_files_release(&files);
    cr_expect_eq(run_files_find(empty, 1, &files, &why), ERR_NOT_FOUND);
    cr_expect_not_null(strstr(why.text, "no .lua file is in it"));
    run_files_release(&files);
    remove_all(path);
}
