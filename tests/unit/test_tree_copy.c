/* What was prepared, copied into a world. */
#include "scratch.h"
#include "tree_copy.h"

#include <string.h>
#include <sys/stat.h>

static void write_file(const char *path, const char *text, mode_t mode)
{
    FILE *file = fopen(path, "we");
    cr_assert_not_null(file);
    fputs(text, file);
    fclose(file);
    chmod(path, mode);
}

static char *text_of(const char *path)
{
    static char text[64];
    FILE *file = fopen(path, "re");
    cr_assert_not_null(file, "%s", path);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    return text;
}

Test(tree_copy, copies_folders_files_links_and_modes)
{
    struct err_text why;
    struct stat status;
    char target[16] = {0};
    struct scratch home = scratch_new();
    struct scratch from = scratch_file(&home, "from");
    struct scratch inner = scratch_file(&home, "from/inner");
    struct scratch to = scratch_file(&home, "to");
    mkdir(from.path, 0755);
    mkdir(inner.path, 0750);
    write_file(scratch_file(&inner, "run.sh").path, "echo 1", 0755);
    write_file(scratch_file(&from, "empty").path, "", 0600);
    cr_assert_eq(symlink("inner/run.sh", scratch_file(&from, "link").path), 0);
    cr_assert_eq(mkfifo(scratch_file(&from, "fifo").path, 0600), 0);
    cr_expect_eq(tree_copy(from.path, to.path, &why), ERR_OK);
    cr_expect_str_eq(text_of(scratch_file(&to, "link").path), "echo 1");
    cr_expect_eq(readlink(scratch_file(&to, "link").path, target, sizeof target - 1), 12);
    cr_expect_eq(stat(scratch_file(&to, "inner/run.sh").path, &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0755);
    cr_expect_eq(stat(scratch_file(&to, "inner").path, &status), 0);
    cr_expect_eq(status.st_mode & 07777, 0750);
    cr_expect_eq(stat(scratch_file(&to, "empty").path, &status), 0);
    cr_expect_eq(access(scratch_file(&to, "fifo").path, F_OK), -1, "nobody is at its other end");
    write_file(scratch_file(&to, "inner/run.sh").path, "echo 2", 0755);
    cr_expect_str_eq(text_of(scratch_file(&inner, "run.sh").path), "echo 1", "a copy is a copy");
    scratch_remove(&home);
}

Test(tree_copy, says_what_it_could_not_copy)
{
    struct err_text why;
    struct scratch home = scratch_new();
    struct scratch none = scratch_file(&home, "none");
    struct scratch to = scratch_file(&home, "to");
    cr_expect_eq(tree_copy(none.path, to.path, &why), ERR_IO);
    cr_expect_not_null(strstr(why.text, "none: No such file"), "%s", why.text);
    mkdir(none.path, 0700);
    mkdir(to.path, 0700);
    cr_expect_eq(tree_copy(none.path, to.path, &why), ERR_IO, "it is there already");
    scratch_remove(&home);
}
