/* /_mock/journal, /_mock/ledger and /_mock/reset */
#include "books.h"
#include "control_call.h"
#include "endpoint.h"
#include "key.h"
#include "notice.h"

#define JOURNAL_MOST INT64_C(10000)

void control_get_journal(struct control_call *call)
{
    int64_t after = 0, limit = JOURNAL_MOST;
    struct json *entries;
    if (!control_number(call, "after", INT64_MAX, &after) ||
        !control_number(call, "limit", JOURNAL_MOST, &limit))
        return;
    if (journal_read(call->control->core->journal, call->account, (uint64_t)after, limit,
                     &entries) != ERR_OK) {
        control_broken(call);
        return;
    }
    struct json *json = json_object();
    for (const struct json *entry = json_first(entries); entry != NULL; entry = json_next(entry))
        after = json_get_int(entry, "seq", after);
    json_set_bool(json, "complete", (int64_t)json_count(entries) < limit);
    json_set_int(json, "last", after);
    json_set(json, "entries", entries);
    reply_object(call->reply, 200, json);
}

void control_get_ledger(struct control_call *call)
{
    struct json *books;
    if (books_read(call->control->core->store, call->account, &books) == ERR_OK)
        reply_object(call->reply, 200, books);
    else
        control_broken(call);
}

static enum err reset_all(struct core *core, const char *account)
{
    enum err err = store_begin(core->store);
    if (err == ERR_OK)
        err = store_set_number(core->store, "last_attempt", (int64_t)core->last_attempt);
    if (err == ERR_OK)
        err = books_reset(core->store, account);
    if (err == ERR_OK)
        err = notice_reset(core->store, account);
    if (err == ERR_OK)
        err = endpoint_reset(core->store, account);
    if (err == ERR_OK)
        err = key_reset(core->store, account);
    if (err == ERR_OK)
        err = journal_reset(core->journal, account);
    if (err == ERR_OK)
        err = journal_commit(core->journal);
    if (err != ERR_OK)
        journal_rollback(core->journal);
    return err;
}

void control_post_reset(struct control_call *call)
{
    struct core *core = call->control->core;
    if (reset_all(core, call->account) != ERR_OK) {
        control_broken(call);
        return;
    }
    if (call->account == NULL)
        live_faults_clear(core->live);
    else
        live_faults_delete(core->live, call->account);
    struct json *json = json_object();
    json_set_bool(json, "reset", true);
    reply_object(call->reply, 200, json);
}
