/* The parts of a file's name. */
#include "path.h"

#include <criterion/criterion.h>
#include <stdlib.h>

static void expect_parts(const char *path, const char *folder, const char *name, const char *stem)
{
    char *found_folder = path_folder(path);
    char *found_stem = path_stem(path);
    cr_expect_str_eq(found_folder, folder, "%s: folder %s", path, found_folder);
    cr_expect_str_eq(path_name(path), name, "%s: name %s", path, path_name(path));
    cr_expect_str_eq(found_stem, stem, "%s: stem %s", path, found_stem);
    free(found_folder);
    free(found_stem);
}

Test(path, has_a_folder_a_name_and_a_stem)
{
    expect_parts("scenarios/f10_worker.lua", "scenarios", "f10_worker.lua", "f10_worker");
    expect_parts("a.b/c", "a.b", "c", "c");
    expect_parts("one.lua", ".", "one.lua", "one");
    expect_parts("/one.tar.gz", "/", "one.tar.gz", "one.tar");
    expect_parts("a/.hidden", "a", ".hidden", ".hidden");
    expect_parts("a/", "a", "", "");
    expect_parts("", ".", "", "");
}
