/* Memory, errors, checks and log lines: what every other file leans on. */
#include "check.h"
#include "err.h"
#include "log.h"
#include "mem.h"

#include <criterion/criterion.h>
#include <criterion/redirect.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

Test(mem, fresh_memory_is_zeroed_and_never_null)
{
    char *bytes = mem_alloc(1000);
    for (int i = 0; i < 1000; i++)
        cr_assert_eq(bytes[i], 0);
    free(bytes);
    void *nothing = mem_alloc(0);
    cr_assert_not_null(nothing);
    nothing = mem_resize(nothing, 0, 8);
    cr_assert_not_null(nothing);
    free(nothing);
}

Test(mem, resizing_keeps_what_was_there)
{
    int *numbers = mem_resize(NULL, 2, sizeof *numbers);
    numbers[0] = 4;
    numbers[1] = 2;
    numbers = mem_resize(numbers, 1000, sizeof *numbers);
    cr_assert_eq(numbers[0] * 10 + numbers[1], 42);
    free(numbers);
}

Test(mem, an_overflowing_size_aborts, .signal = SIGABRT)
{
    cr_redirect_stderr();
    free(mem_resize(NULL, SIZE_MAX / 2, 3));
}

Test(mem, copies_of_strings)
{
    cr_assert_null(mem_strdup(NULL));
    cr_assert_null(mem_strndup(NULL, 3));
    char *whole = mem_strdup("");
    char *part = mem_strndup("abcdef", 3);
    char *more = mem_strndup("ab", 10);
    cr_assert_str_eq(whole, "");
    cr_assert_str_eq(part, "abc");
    cr_assert_str_eq(more, "ab");
    free(whole);
    free(part);
    free(more);
}

Test(mem, printf_into_a_new_string)
{
    char *text = mem_printf("%s-%03d", "re", 7);
    cr_assert_str_eq(text, "re-007");
    free(text);
}

/* `mem_set_string(&x, x)` is what a copy of a struct over itself comes to. */
Test(mem, set_string_may_copy_from_the_old_value)
{
    char *text = mem_strdup("old");
    mem_set_string(&text, text);
    cr_assert_str_eq(text, "old");
    mem_set_string(&text, "new");
    cr_assert_str_eq(text, "new");
    mem_set_string(&text, NULL);
    cr_assert_null(text);
}

Test(err, every_one_has_a_name_of_its_own)
{
    for (int i = 0; i < ERR_COUNT; i++) {
        cr_assert_gt(strlen(err_name((enum err)i)), 1);
        for (int j = 0; j < i; j++)
            cr_assert_str_neq(err_name((enum err)i), err_name((enum err)j));
    }
    cr_assert_str_eq(err_name(ERR_OK), "ok");
}

Test(err, a_name_for_none_is_a_bug, .signal = SIGABRT)
{
    cr_redirect_stderr();
    err_name(ERR_COUNT);
}

Test(err, say_returns_its_error_with_or_without_a_text)
{
    struct err_text why = {.line = 12};
    cr_assert_eq(err_say(NULL, ERR_IO, "nobody %s", "listens"), ERR_IO);
    cr_assert_eq(err_say(&why, ERR_LIMIT, "more than %d", 3), ERR_LIMIT);
    cr_assert_str_eq(why.text, "more than 3");
    cr_assert_eq(why.line, 12, "the line belongs to whoever knows it");
}

Test(err, a_long_text_is_cut_and_still_ends)
{
    struct err_text why;
    memset(&why, 'x', sizeof why);
    cr_assert_eq(err_say(&why, ERR_INVALID, "%05000d", 1), ERR_INVALID);
    cr_assert_eq(strlen(why.text), sizeof why.text - 1);
}

Test(check, holds_in_silence)
{
    int calls = 0;
    CHECK(++calls == 1);
    cr_assert_eq(calls, 1, "the condition is evaluated once, in release builds too");
}

Test(check, what_does_not_hold_aborts, .signal = SIGABRT)
{
    cr_redirect_stderr();
    CHECK(1 == 2);
}

Test(check, a_place_that_cannot_be_reached_aborts, .signal = SIGABRT)
{
    cr_redirect_stderr();
    CHECK_UNREACHABLE();
}

Test(log, lines_carry_the_name_and_the_kind)
{
    cr_redirect_stderr();
    log_set_name("unit");
    log_info("%d orders", 3);
    log_warn("slow");
    log_set_quiet(true);
    log_info("not this one");
    log_error("disk full");
    cr_assert_stderr_eq_str("unit: 3 orders\nunit: warning: slow\nunit: error: disk full\n");
}
