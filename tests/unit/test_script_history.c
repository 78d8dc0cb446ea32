/* history and now(): what a script sees of what has happened, and that it cannot change it. */
#include "mem.h"
#include "script.h"
#include "scripted.h"

#include <criterion/criterion.h>
#include <string.h>

static struct record *record;
static int64_t clock_ms;

static int64_t read_clock(void *self)
{
    (void)self;
    return clock_ms;
}

static void tell(enum event_kind kind, uint64_t request, const char *order)
{
    struct event event = event_new(kind, request, clock_ms);
    event.order = mem_strdup(order);
    json_set_string(event.data, "status", "new");
    record_add(record, &event);
    event_release(&event);
}

static void make_record(void)
{
    record = record_new(4);
    clock_ms = 5000;
}

static void remove_record(void)
{
    record_free(record);
}

TestSuite(history, .init = make_record, .fini = remove_record);

/* A provider that has been up for 250 ms, and got two requests for the order a and one for none. */
static void tell_a_story(void)
{
    record_set_clock(record, (struct clock_source){read_clock, NULL});
    tell(EVENT_UP, 0, NULL);
    clock_ms += 250;
    tell(EVENT_INVOKE, 1, "a");
    tell(EVENT_INVOKE, 2, "a");
    tell(EVENT_INVOKE, 3, NULL);
}

static void expect_end(const char *body, enum err err, const char *rest)
{
    char text[1000];
    struct err_text why = {0};
    struct script *script;
    snprintf(text, sizeof text, "%s\nreturn scenario {}", body);
    struct scripted file = scripted_new(text);
    cr_expect_eq(script_load(file.file, &(struct script_options){.record = record}, &script, &why),
                 err, "%s: %s", body, why.text);
    if (err != ERR_OK)
        scripted_expect(&file, why.text, rest);
    scripted_remove(&file);
    script_free(script);
}

static void expect_fine(const char *body)
{
    expect_end(body, ERR_OK, "");
}

static void expect_error(const char *body, const char *rest)
{
    expect_end(body, ERR_SCRIPT, rest);
}

Test(history, is_empty_before_anything_happens)
{
    expect_fine("assert(#history == 0 and history[1] == nil and now() == 0)"
                "for _ in ipairs(history) do error('one') end assert(history.count {} == 0)");
    record_set_clock(record, (struct clock_source){read_clock, NULL});
    expect_fine("assert(now() == 0)");
}

Test(history, shows_each_event_with_its_time_since_the_start)
{
    tell_a_story();
    expect_fine("assert(#history == 4 and history[5] == nil and history[0] == nil)"
                "assert(history[1].kind == 'up' and history[1].at == 0)"
                "assert(history[1].request == nil and history[1].order == nil)"
                "local e = history[2] assert(e.kind == 'invoke' and e.at == 250 and e.request == 1)"
                "assert(e.order == 'a' and e.data.status == 'new' and history[2.0].request == 1)");
    expect_fine(
        "local n = 0 for i, e in ipairs(history) do n = n + 1 assert(i == n and e.kind) end "
        "assert(n == 4)");
}

Test(history, time_goes_on_by_the_clock_of_the_provider)
{
    tell_a_story();
    expect_fine("assert(now() == 250)");
    clock_ms += 90000000;
    expect_fine("assert(now() == 90000250)");
}

Test(history, counts)
{
    tell_a_story();
    expect_fine("local count = history.count "
                "assert(count {} == 4 and count {kind = 'invoke'} == 3)"
                "assert(count {order = 'a'} == 2 and count {order = 'b'} == 0)"
                "assert(count {kind = 'up', order = 'a'} == 0 and count {request = 3} == 1)");
}

Test(history, keeps_the_latest)
{
    tell_a_story();
    tell(EVENT_OK, 1, "a");
    expect_fine("assert(#history == 4 and history[1].request == 1 and history[4].kind == 'ok')");
    for (int i = 0; i < 6; i++)
        tell(EVENT_OK, (uint64_t)i, NULL);
    expect_fine("assert(#history == 4 and history[1].request == 2 and history[4].request == 5)"
                "assert(history.count {kind = 'ok'} == 4)");
}

Test(history, everything_is_kept_when_nothing_else_is_said)
{
    record_free(record);
    record = record_new(0);
    for (int i = 1; i <= 5000; i++)
        tell(EVENT_OK, (uint64_t)i, NULL);
    expect_fine("assert(#history == 5000 and history[1].request == 1)"
                "for i, e in ipairs(history) do assert(e.request == i) end");
}

Test(history, cannot_be_changed)
{
    tell_a_story();
    expect_error("\nhistory[1] = nil", ":2: history cannot be changed");
    expect_error("\nhistory.count = 5", ":2: history cannot be changed");
    expect_error("\ntable.insert(history, 1)", ":2: history cannot be changed");
    expect_error("\ntable.sort(history, function() return true end)",
                 ":2: history cannot be changed");
    expect_fine("history[2].kind = 'ok' history[2].data.status = 5 "
                "assert(history[2].kind == 'invoke' and history[2].data.status == 'new')");
    expect_fine("history = nil now = nil");
    expect_fine("assert(#history == 4 and now() == 250)");
}

Test(history, mistakes_name_what_was_meant)
{
    tell_a_story();
    expect_error("\nhistory.cuont {}", ":2: history has no 'cuont' (did you mean count?): it has");
    expect_error("\nhistory:count()", ":2: history.count takes a table: history.count {kind");
    expect_error("\nhistory.count('ok')", ":2: history.count takes a table: history.count {kind");
    expect_error("\nhistory.count {kind = 'efect'}",
                 ":2: history.count: 'efect' is no kind of event (did you mean effect?)");
    expect_error("\nhistory.count {kind = 5}", ":2: history.count: '?' is no kind of event");
    expect_error("\nhistory.count {ordre = 'a'}",
                 ":2: history.count knows no 'ordre' (did you mean order?): kind, order");
    expect_error("\nhistory.count {order = 5}", ":2: history.count: order is text");
    expect_error("\nhistory.count {'ok'}", ":2: history.count knows no '1'");
    expect_error("\nlocal x = history[1].effect",
                 ":2: an event has no 'effect': it has kind, at, request, order, data");
    expect_error("\nlocal x = history[{}]", ":2: history has no '?'");
    expect_error("\nlocal x = pairs(history)", ":2: pairs takes a table, not a userdata");
}

Test(history, a_script_may_be_loaded_without_one)
{
    remove_record();
    record = NULL;
    expect_fine("assert(#history == 0 and now() == 0 and history.count {} == 0)");
}
