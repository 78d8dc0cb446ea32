#include "buf.h"
#include "mem.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

Test(buf, a_zeroed_one_is_empty_text)
{
    struct buf buf = {0};
    cr_assert_str_eq(buf_string(&buf), "");
    buf_clear(&buf);
    buf_consume(&buf, 10);
    cr_assert_eq(buf.len, 0);
    buf_release(&buf);
}

Test(buf, adding_keeps_a_nul_behind_the_text)
{
    struct buf buf = {0};
    buf_add_string(&buf, "pay");
    buf_add_char(&buf, ' ');
    buf_addf(&buf, "%d%s", 100, " usd");
    cr_assert_str_eq(buf_string(&buf), "pay 100 usd");
    cr_assert_eq(buf.len, strlen("pay 100 usd"));
    buf_release(&buf);
    cr_assert_null(buf.data);
}

Test(buf, bytes_may_hold_nuls)
{
    struct buf buf = {0};
    buf_add(&buf, "a\0b", 3);
    buf_add(&buf, NULL, 0);
    cr_assert_eq(buf.len, 3);
    cr_assert_eq(memcmp(buf.data, "a\0b", 4), 0, "the uncounted NUL follows");
    buf_release(&buf);
}

/* Every length around the first allocation and around a doubling. */
Test(buf, grows_at_every_length)
{
    for (size_t length = 0; length < 300; length++) {
        struct buf buf = {0};
        char *text = mem_alloc(length + 1);
        memset(text, 'x', length);
        buf_add_string(&buf, text);
        buf_addf(&buf, "%s", text);
        cr_assert_eq(buf.len, 2 * length);
        cr_assert_eq(strlen(buf_string(&buf)), 2 * length);
        buf_release(&buf);
        free(text);
    }
}

Test(buf, formatted_text_longer_than_the_room)
{
    struct buf buf = {0};
    buf_addf(&buf, "%0500d", 7);
    cr_assert_eq(buf.len, 500);
    cr_assert_eq(buf.data[499], '7');
    cr_assert_eq(buf.data[500], '\0');
    buf_release(&buf);
}

Test(buf, consume_takes_from_the_front_and_at_most_all)
{
    struct buf buf = {0};
    buf_add_string(&buf, "abcdef");
    buf_consume(&buf, 0);
    buf_consume(&buf, 2);
    cr_assert_str_eq(buf_string(&buf), "cdef");
    buf_consume(&buf, 99);
    cr_assert_str_eq(buf_string(&buf), "");
    buf_add_string(&buf, "again");
    cr_assert_str_eq(buf_string(&buf), "again");
    buf_release(&buf);
}

Test(buf, take_hands_the_text_over)
{
    struct buf buf = {0};
    char *empty = buf_take(&buf);
    cr_assert_str_eq(empty, "");
    buf_add_string(&buf, "mine");
    char *text = buf_take(&buf);
    cr_assert_str_eq(text, "mine");
    cr_assert_null(buf.data);
    cr_assert_eq(buf.len, 0);
    cr_assert_eq(buf.cap, 0);
    free(empty);
    free(text);
}

Test(buf, clear_keeps_the_memory)
{
    struct buf buf = {0};
    buf_add_string(&buf, "abc");
    size_t cap = buf.cap;
    buf_clear(&buf);
    cr_assert_str_eq(buf_string(&buf), "");
    cr_assert_eq(buf.cap, cap);
    buf_release(&buf);
}
