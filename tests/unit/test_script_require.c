/* require: which files a script reaches, which it does not, and what is said of mistakes. */
#include "mem.h"
#include "scratch.h"
#include "script.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <string.h>
#include <sys/stat.h>

static struct scratch folder;

static void put(const char *name, const char *text)
{
    struct scratch file = scratch_file(&folder, name);
    FILE *out = fopen(file.path, "we");
    cr_assert_not_null(out, "%s", file.path);
    fputs(text, out);
    fclose(out);
}

static void link_to(const char *target, const char *name)
{
    struct scratch file = scratch_file(&folder, name);
    cr_assert_eq(symlink(target, file.path), 0, "%s", file.path);
}

static void make_folder(void)
{
    folder = scratch_new();
    struct scratch lib = scratch_file(&folder, "lib");
    cr_assert_eq(mkdir(lib.path, 0700), 0);
}

static void remove_folder(void)
{
    scratch_remove(&folder);
}

TestSuite(require, .init = make_folder, .fini = remove_folder);

static enum err load(const char *text, struct script **script, struct err_text *why)
{
    struct scratch file = scratch_file(&folder, "a.lua");
    put("a.lua", text);
    *why = (struct err_text){0};
    return script_load(file.path, &(struct script_options){.seed = 1}, script, why);
}

static void expect_fine(const char *text)
{
    struct script *script;
    struct err_text why;
    char whole[1000];
    snprintf(whole, sizeof whole, "%s\nreturn scenario {}", text);
    cr_expect_eq(load(whole, &script, &why), ERR_OK, "%s\n%s", text, why.text);
    script_free(script);
}

/* That TEXT is refused with "FOLDER/" and REST. */
static void expect_refusal(const char *text, const char *rest)
{
    struct script *script;
    struct err_text why;
    size_t length = strlen(folder.path);
    cr_expect_eq(load(text, &script, &why), ERR_SCRIPT, "%s", text);
    cr_expect(strncmp(why.text, folder.path, length) == 0 &&
                  strncmp(why.text + length + 1, rest, strlen(rest)) == 0,
              "%s\nwanted: %s\n   got: %s", text, rest, why.text);
}

static void expect_said(const char *text, const char *part)
{
    struct script *script;
    struct err_text why;
    cr_expect_eq(load(text, &script, &why), ERR_SCRIPT, "%s", text);
    cr_expect_not_null(strstr(why.text, part), "%s\nwanted: %s\n   got: %s", text, part, why.text);
}

Test(require, gives_what_the_file_returned)
{
    put("lib/lost.lua", "return { at = 'after_commit' }");
    put("beside.lua", "return 7");
    put("nothing.lua", "");
    expect_fine("assert(require 'lib.lost'.at == 'after_commit' and require 'beside' == 7)");
    expect_fine("assert(require 'nothing' == true)");
}

Test(require, loads_once)
{
    put("lib/count.lua", "local n = 0 return function() n = n + 1 return n end");
    put("lib/other.lua", "return require 'lib.count'");
    expect_fine("require 'lib.count'() assert(require 'lib.other'() == 2)");
    expect_fine("assert(require 'lib.count'() == 1)");
}

Test(require, a_file_has_the_words_and_globals_of_its_own)
{
    put("lib/lost.lua", "mine = 1 assert(yours == nil) return { act = drop(), at = 'received' }");
    expect_said("yours = 1 require 'lib.lost'", "lib/lost.lua:1: 'yours' is not defined");
    put("lib/lost.lua", "mine = 1 return { act = drop(), at = 'received' }");
    expect_fine("assert(require 'lib.lost'.act.kind == 'drop')");
    expect_said("require 'lib.lost' return mine", "a.lua:1: 'mine' is not defined");
    put("lib/lost.lua", "return io.open('/etc/passwd')");
    expect_refusal("require 'lib.lost'", "lib/lost.lua:1: 'io' is not defined");
}

Test(require, errors_name_the_file_that_they_are_in)
{
    put("lib/lost.lua", "\nreturn function(x)\nreturn x.y end");
    expect_refusal("local f = require 'lib.lost'\nf()", "lib/lost.lua:3: attempt to index a nil");
    expect_said("local f = require 'lib.lost'\nf()", "\n    lib/lost.lua:3: in function 'f'");
    put("lib/lost.lua", "\nreturn function() error('mine') end");
    expect_refusal("require 'lib.lost'()", "lib/lost.lua:2: mine");
    put("lib/lost.lua", "\nlocal = 1");
    expect_refusal("require 'lib.lost'", "lib/lost.lua:2: <name> expected near '='");
    put("lib/lost.lua", "\nreturn { at = 'x', act = drop() }");
    expect_refusal("return scenario { faults = { require 'lib.lost' } }",
                   "lib/lost.lua:2: fault 1: 'x' is no failpoint");
    put("lib/lost.lua", "\nwhile true do end");
    expect_refusal("require 'lib.lost'", "lib/lost.lua:2: the script does not come back");
    put("lib/lost.lua", "\nlocal s = 'x' while true do s = s .. s end");
    expect_refusal("require 'lib.lost'", "lib/lost.lua:2: the script needs more than 64 MiB");
    put("lib/lost.lua", "local function f() return 1 + f() end f()");
    expect_refusal("require 'lib.lost'", "lib/lost.lua:1: ");
}

Test(require, a_line_that_a_script_made_up_does_no_harm)
{
    expect_refusal(
        "return scenario { faults = { { at = 'x', act = {kind = 'drop', line = 1 << 30} } } }",
        "a.lua:");
    expect_refusal(
        "return scenario { faults = { { at = 'x', act = {kind = 'drop', line = -7} } } }",
        "a.lua:1: fault 1");
}

Test(require, a_file_that_is_not_there)
{
    char wanted[500];
    put("lib/storms.lua", "");
    snprintf(wanted, sizeof wanted,
             "a.lua:2: require: there is no %s/lib/storm.lua (did you mean storms.lua?)",
             folder.path);
    expect_refusal("\nrequire 'lib.storm'", wanted);
    expect_said("require 'lib.x'", "/lib/x.lua\n");
    expect_said("require 'nowhere.x'", "/nowhere/x.lua\n");
    expect_said("require 'lib.storms.x'", "/lib/storms/x.lua\n");
}

Test(require, names_that_lead_elsewhere)
{
    static const char *const names[] = {
        "/etc/passwd", "../a",   "..a",
        "lib..a",      "lib/a",  "lib.",
        ".a",          "",       ".",
        "..",          "lib\\a", "lib.a\\0",
        "lib a",       "~a",     "a.lua/",
        "%2e%2e",      "\xff",   "a_name_that_is_longer_than_lua_would_keep_in_messages",
    };
    char text[200];
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        snprintf(text, sizeof text, "\nrequire '%s'", names[i]);
        expect_refusal(text, "a.lua:2: require: '");
    }
    expect_refusal("require(5)", "a.lua:1: require takes the name of a file");
    expect_refusal("require({})", "a.lua:1: require takes the name of a file");
    expect_refusal("require()", "a.lua:1: require takes the name of a file");
}

Test(require, links_stay_inside)
{
    put("beside.lua", "return 7");
    link_to("../beside.lua", "lib/inside.lua");
    link_to("/etc/passwd", "lib/outside.lua");
    link_to("/", "lib/top");
    link_to("round.lua", "round.lua");
    expect_fine("assert(require 'lib.inside' == 7)");
    expect_said("require 'lib.outside'", "leads out of the directory of the scenario");
    expect_said("require 'lib.top.etc.x'", "/lib/top/etc/x.lua\n");
    expect_said("require 'round'", "cannot open it: Too many levels of symbolic links");
    struct scratch fifo = scratch_file(&folder, "fifo.lua");
    cr_assert_eq(mkfifo(fifo.path, 0600), 0);
    expect_said("require 'fifo'", "is no file");
}

Test(require, text_of_bounded_size_only)
{
    put("code.lua", "\033Lua");
    expect_said("require 'code'", "attempt to load a binary chunk");
    char *large = mem_alloc((1 << 20) + 2);
    memset(large, ' ', (1 << 20) + 1);
    put("large.lua", large);
    free(large);
    expect_said("require 'large'", "/large.lua: larger than 1 MiB");
}

Test(require, circles_are_named)
{
    put("x.lua", "require 'y'");
    put("y.lua", "\nrequire 'z'");
    put("z.lua", "\n\nrequire 'y'");
    expect_refusal("require 'x'", "z.lua:3: require goes round in a circle: y -> z -> y");
    put("z.lua", "\n\nrequire 'z'");
    expect_refusal("require 'x'", "z.lua:3: require goes round in a circle: z -> z");
    expect_refusal("require 'a'", "a.lua:1: require goes round in a circle: a -> a");
}

Test(require, depth_and_number_are_bounded)
{
    char name[40];
    char text[40];
    for (int i = 0; i < 18; i++) {
        snprintf(name, sizeof name, "deep%d.lua", i);
        snprintf(text, sizeof text, "require 'deep%d'", i + 1);
        put(name, i == 17 ? "" : text);
    }
    expect_fine("require 'deep2'");
    expect_said("require 'deep1'", "deep16.lua:1: require: more than 16 files that require one");
    expect_said("for i = 1, 200 do pcall(require, 'nope') end require 'deep17'",
                "a.lua:1: require: more than 100 files");
}

Test(require, a_failure_that_is_caught_can_be_tried_again)
{
    put("bad.lua", "error('mine')");
    expect_said("pcall(require, 'bad') pcall(require, 'bad') require 'bad'", "bad.lua:1: mine");
    put("good.lua", "return 5");
    expect_fine("pcall(require, 'bad') assert(require 'good' == 5)");
}
