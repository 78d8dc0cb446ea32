/* The journal: events stand or fall with their transaction, and listeners hear only of what stands.
 */
#include "journal.h"
#include "mem.h"
#include "quoted.h"
#include "stmt.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct store *store;
static struct journal *journal;
static char heard[1000]; /* "1:invoke 2:ok " */

static void listen(void *context, const struct event *event)
{
    size_t length = strlen(heard);
    cr_assert_eq(context, &heard);
    snprintf(heard + length, sizeof heard - length, "%d:%s ", (int)event->seq,
             event_name(event->kind));
}

static void open_journal(void)
{
    struct err_text why = {0};
    cr_assert_eq(store_open(&store, &(struct store_options){0}, &why), ERR_OK, "%s", why.text);
    journal = journal_new(store, listen, &heard);
    heard[0] = '\0';
}

static void close_journal(void)
{
    journal_free(journal);
    store_close(store);
}

TestSuite(journal, .init = open_journal, .fini = close_journal);

static void add(const char *account, enum event_kind kind, uint64_t request)
{
    struct event event = event_new(kind, request, 1000 + (int64_t)request);
    event.order = mem_strdup("order_1");
    json_set_int(event.data, "n", (int64_t)request);
    cr_assert_eq(journal_add(journal, account, event), ERR_OK);
}

static struct json *entries(const char *account, uint64_t after, int64_t limit)
{
    struct json *json;
    cr_assert_eq(journal_read(journal, account, after, limit, &json), ERR_OK);
    return json;
}

static size_t count(const char *account)
{
    struct json *json = entries(account, 0, 100);
    size_t found = json_count(json);
    json_free(json);
    return found;
}

Test(journal, outside_a_transaction_an_event_is_told_at_once)
{
    add("a", EVENT_INVOKE, 1);
    cr_expect_str_eq(heard, "1:invoke ");
    add("a", EVENT_OK, 1);
    cr_expect_str_eq(heard, "1:invoke 2:ok ");
}

Test(journal, inside_one_it_is_told_at_the_commit)
{
    cr_assert_eq(store_begin(store), ERR_OK);
    add("a", EVENT_EFFECT, 1);
    add("a", EVENT_OK, 1);
    cr_expect_str_eq(heard, "");
    cr_assert_eq(journal_commit(journal), ERR_OK);
    cr_expect_str_eq(heard, "1:effect 2:ok ");
}

Test(journal, what_is_rolled_back_never_was)
{
    cr_assert_eq(store_begin(store), ERR_OK);
    add("a", EVENT_EFFECT, 1);
    journal_rollback(journal);
    cr_expect_str_eq(heard, "");
    cr_expect_eq(count(NULL), 0);
    add("a", EVENT_INVOKE, 2);
    cr_expect(strstr(heard, "effect") == NULL, "%s", heard);
    cr_expect_eq(count(NULL), 1);
}

/* The listener forgets nothing, so a seq must not come again after a rollback or a reset. */
Test(journal, a_seq_comes_once)
{
    add("a", EVENT_INVOKE, 1);
    cr_assert_eq(store_begin(store), ERR_OK);
    cr_assert_eq(journal_reset(journal, NULL), ERR_OK);
    cr_assert_eq(journal_commit(journal), ERR_OK);
    add("a", EVENT_INVOKE, 2);
    cr_expect_str_eq(heard, "1:invoke 2:invoke ");
}

Test(journal, an_event_comes_back_as_it_went_in)
{
    add("a", EVENT_INVOKE, 7);
    expect_quoted(entries("a", 0, 10),
                  "[{'seq':1,'kind':'invoke','at':1007,'request':7,'order':'order_1',"
                  "'data':{'n':7}}]");
}

Test(journal, events_of_one_account_or_of_all)
{
    add("a", EVENT_INVOKE, 1);
    add("b", EVENT_INVOKE, 2);
    add("", EVENT_CLOCK, 0);
    cr_expect_eq(count("a"), 1);
    cr_expect_eq(count("b"), 1);
    cr_expect_eq(count("c"), 0);
    cr_expect_eq(count(NULL), 3);
}

Test(journal, is_read_in_pieces)
{
    for (uint64_t i = 1; i <= 5; i++)
        add("a", EVENT_INVOKE, i);
    struct json *json = entries("a", 2, 2);
    cr_expect_eq(json_count(json), 2);
    cr_expect_eq(json_get_int(json_first(json), "seq", 0), 3);
    json_free(json);
    json = entries("a", 5, 2);
    cr_expect_eq(json_count(json), 0);
    json_free(json);
}

Test(journal, a_replay_tells_what_an_earlier_process_wrote)
{
    add("a", EVENT_INVOKE, 1);
    add("b", EVENT_INFO, 1);
    add("a", EVENT_INVOKE, 2);
    heard[0] = '\0';
    cr_assert_eq(journal_replay(journal, 1), ERR_OK);
    cr_expect_str_eq(heard, "2:info 3:invoke ");
    cr_assert_eq(journal_replay(journal, 3), ERR_OK);
    cr_expect_str_eq(heard, "2:info 3:invoke ");
}

Test(journal, knows_the_last_attempt)
{
    uint64_t number = 99;
    cr_assert_eq(journal_last_attempt(journal, &number), ERR_OK);
    cr_expect_eq(number, 0);
    add("a", EVENT_INVOKE, 4);
    add("a", EVENT_INVOKE, 3);
    cr_assert_eq(journal_last_attempt(journal, &number), ERR_OK);
    cr_expect_eq(number, 4);
}

Test(journal, a_reset_forgets_one_account_or_all)
{
    add("a", EVENT_INVOKE, 1);
    add("b", EVENT_INVOKE, 2);
    cr_assert_eq(journal_reset(journal, "a"), ERR_OK);
    cr_expect_eq(count("a"), 0);
    cr_expect_eq(count("b"), 1);
    cr_assert_eq(journal_reset(journal, NULL), ERR_OK);
    cr_expect_eq(count(NULL), 0);
}

Test(journal, a_row_that_nobody_of_us_wrote_is_corrupt)
{
    static const char *const rows[] = {
        "INSERT INTO journal (at_ms, account, kind, request, data) VALUES (1, 'a', 'boo', 1, '{}')",
        "INSERT INTO journal (at_ms, account, kind, request, data) VALUES (1, 'a', 'ok', 1, '{')",
    };
    for (size_t i = 0; i < 2; i++) {
        struct json *json;
        cr_assert_eq(journal_reset(journal, NULL), ERR_OK);
        cr_assert_eq(stmt_run(store, rows[i], ""), ERR_OK);
        cr_expect_eq(journal_read(journal, NULL, 0, 10, &json), ERR_CORRUPT);
        cr_expect_null(json);
        cr_expect_eq(journal_replay(journal, 0), ERR_CORRUPT);
    }
}

Test(journal, needs_no_listener)
{
    struct journal *silent = journal_new(store, NULL, NULL);
    cr_assert_eq(journal_add(silent, "a", event_new(EVENT_HEAL, 0, 0)), ERR_OK);
    cr_assert_eq(journal_replay(silent, 0), ERR_OK);
    journal_free(silent);
    journal_free(NULL);
    cr_expect_eq(count(NULL), 1);
}

Test(journal, one_that_is_freed_in_a_transaction_leaks_nothing)
{
    struct journal *other = journal_new(store, listen, &heard);
    cr_assert_eq(store_begin(store), ERR_OK);
    cr_assert_eq(journal_add(other, "a", event_new(EVENT_HEAL, 0, 0)), ERR_OK);
    journal_free(other);
    store_rollback(store);
    cr_expect_str_eq(heard, "");
}
