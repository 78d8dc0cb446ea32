#include "nearest.h"

#include <criterion/criterion.h>
#include <string.h>

Test(nearest, names_what_was_meant_or_nothing)
{
    static const char *const words[] = {"run", "list", "seed", "timeout", NULL};
    cr_expect_str_eq(nearest_word("timout", words), "timeout");
    cr_expect_str_eq(nearest_word("rnu", words), "run");
    cr_expect_str_eq(nearest_word("lits", words), "list");
    cr_expect_null(nearest_word("explore", words));
    cr_expect_null(nearest_word("", words));
    cr_expect_null(nearest_word("a-word-that-is-longer-than-any-of-ours-could-be", words));
    char long_word[200];
    memset(long_word, 'x', sizeof long_word - 1);
    long_word[sizeof long_word - 1] = '\0';
    cr_expect_null(nearest_word(long_word, words));
}

Test(nearest, two_letters_that_changed_places_are_one_mistake)
{
    static const char *const words[] = {"warm", "from", "to", NULL};
    cr_expect_str_eq(nearest_word("form", words), "from");
    cr_expect_str_eq(nearest_word("ot", words), "to");
    cr_expect_str_eq(nearest_word("wram", words), "warm");
}

Test(nearest, a_short_word_is_not_taken_for_another_one)
{
    static const char *const words[] = {"now", "late", "string", NULL};
    cr_expect_null(nearest_word("slow", words));
    cr_expect_null(nearest_word("os", words));
    cr_expect_null(nearest_word("nothing", words));
    cr_expect_str_eq(nearest_word("lte", words), "late");
}

Test(nearest, capitals_alone_make_no_other_word)
{
    static const char *const words[] = {"B/s", "kB/s", "MB/s", "drop", NULL};
    cr_expect_str_eq(nearest_word("KB/s", words), "kB/s");
    cr_expect_str_eq(nearest_word("mb/s", words), "MB/s");
    cr_expect_str_eq(nearest_word("DROP", words), "drop");
}

Test(nearest, hints_only_when_there_is_something_to_say)
{
    static const char *const words[] = {"received", "responded", NULL};
    cr_expect_str_eq(nearest_hint("recieved", words).text, " (did you mean received?)");
    cr_expect_str_eq(nearest_hint("sent", words).text, "");
}
