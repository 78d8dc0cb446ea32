#include "cause.h"

#include "events.h"
#include "mem.h"
#include "previous.h"

#include <string.h>

#define OWN_IDS UINT64_C(0x636175736573) /* apart from those of the attempts */

void cause_request(struct cause *cause, struct exchange *x)
{
    *cause = (struct cause){.core = x->core,
                            .account = x->attempt.account,
                            .request = x->attempt.number,
                            .order = x->attempt.order,
                            .request_id = x->attempt.request_id,
                            .key = x->attempt.key,
                            .ids = &x->ids};
}

/* Counted in the database, so that no id comes twice, not even after a restart. */
enum err cause_nobody(struct cause *cause, struct core *core, const char *account)
{
    int64_t number = 0;
    *cause = (struct cause){.core = core, .account = account};
    cause->ids = &cause->own;
    enum err err = store_get_number(core->store, "causes", &number, 0);
    if (err == ERR_OK)
        err = store_set_number(core->store, "causes", number + 1);
    rng_init(&cause->own, rng_mix(rng_mix(core->seed, OWN_IDS), (uint64_t)number));
    return err;
}

enum err cause_commit(struct core *core, const char *account,
                      enum err (*change)(struct cause *cause, void *context), void *context)
{
    struct cause cause;
    enum err err = store_begin(core->store);
    if (err == ERR_OK)
        err = cause_nobody(&cause, core, account);
    if (err == ERR_OK)
        err = change(&cause, context);
    if (err == ERR_OK)
        err = journal_commit(core->journal);
    if (err != ERR_OK)
        journal_rollback(core->journal);
    return err;
}

char *cause_order_in(const char *metadata)
{
    struct json *json = NULL;
    if (metadata == NULL || json_parse(metadata, strlen(metadata), &json, NULL) != ERR_OK)
        return NULL;
    char *order = mem_strdup(json_get_string(json, "order_id"));
    json_free(json);
    return order;
}

enum err cause_effect(const struct cause *cause, const char *order, struct json *data)
{
    struct event event = event_new(EVENT_EFFECT, cause->request, clock_now_ms(cause->core->clock));
    json_free(event.data);
    event.data = data;
    event.order = mem_strdup(cause->order == NULL ? order : cause->order);
    return journal_add(cause->core->journal, cause->account, event);
}

enum err cause_tell(const struct cause *cause, const char *type, struct json *object)
{
    struct event_cause by = {.account = cause->account,
                             .request = cause->request_id,
                             .key = cause->key,
                             .order = cause->order};
    return events_emit_for(cause->core, &by, type, object);
}

enum err cause_tell_change(const struct cause *cause, const char *type, const struct json *before,
                           struct json *object)
{
    struct json *previous = previous_attributes(before, object);
    struct event_cause by = {.account = cause->account,
                             .request = cause->request_id,
                             .key = cause->key,
                             .previous = previous};
    enum err err = events_emit_for(cause->core, &by, type, object);
    json_free(previous);
    return err;
}
