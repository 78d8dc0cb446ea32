/* /v1/events, and how they come to be. */
#include "events.h"

#include "cause.h"
#include "check.h"
#include "delivery.h"
#include "fields.h"
#include "listing.h"
#include "mem.h"
#include "notice.h"
#include "objects.h"
#include "resources.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TYPES 20

enum err events_emit_for(struct core *core, const struct event_cause *cause, const char *type,
                         struct json *object)
{
    const char *order = json_get_string(json_get(object, "metadata"), "order_id");
    CHECK(store_in_transaction(core->store));
    struct notice notice = {.created_ms = clock_now_ms(core->clock),
                            .type = mem_strdup(type),
                            .object = json_print(object),
                            .request = mem_strdup(cause->request),
                            .key = mem_strdup(cause->key),
                            .order = mem_strdup(order == NULL ? cause->order : order)};
    if (cause->previous != NULL)
        notice.previous = json_print(cause->previous);
    enum err err = notice_record(core->store, cause->account, core->seed, &notice);
    notice_release(&notice);
    json_free(object);
    sender_poke(core->sender);
    return err;
}

enum err events_emit(struct exchange *x, const char *type, struct json *object)
{
    struct event_cause cause = {.account = x->attempt.account,
                                .request = x->attempt.request_id,
                                .key = x->use.key == NULL ? NULL : x->attempt.key,
                                .order = x->attempt.order};
    return events_emit_for(x->core, &cause, type, object);
}

enum err events_emit_change(struct exchange *x, const char *type, const struct json *before,
                            struct json *object)
{
    struct cause cause;
    cause_request(&cause, x);
    return cause_tell_change(&cause, type, before, object);
}

enum err events_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "event", "evt_");
}

/* --- the list --------------------------------------------------------------------------------- */

static bool push_type(struct exchange *x, struct json *types, const char *name, const char *type)
{
    if (*type != '\0' && type[strspn(type, "abcdefghijklmnopqrstuvwxyz0123456789_.*")] == '\0' &&
        json_count(types) < MOST_TYPES) {
        json_push(types, json_string(type));
        return true;
    }
    reply_error(&x->reply, (struct api_error){.status = 400,
                                              .param = name,
                                              .message = "Event types look like charge.succeeded "
                                                         "or charge.*; at most 20 of them."});
    return false;
}

static bool names(const struct exchange *x, const char *name)
{
    for (size_t i = 0; i < x->params.count; i++)
        if (params_under(&x->params.list[i], name))
            return true;
    return false;
}

/* type=… or types[]=…, as a JSON array; NULL for none of them. */
static bool read_types(struct exchange *x, char **text)
{
    if (names(x, "type") && names(x, "types")) {
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .param = "types",
                                                  .message = "Give type or types, not both."});
        return false;
    }
    struct json *types = json_array();
    bool good = true;
    for (size_t i = 0; i < x->params.count && good; i++) {
        const struct param *param = &x->params.list[i];
        if (params_under(param, "type") || params_under(param, "types"))
            good = push_type(x, types, param->name, param->value);
    }
    *text = good && json_count(types) > 0 ? json_print(types) : NULL;
    json_free(types);
    return good;
}

static enum err look_up(struct exchange *x, const void *notice, struct json **json)
{
    int64_t pending = 0;
    enum err err = delivery_pending(x->core->store, ((const struct notice *)notice)->id, &pending);
    if (err == ERR_OK)
        *json = notice_render(notice, pending);
    return err;
}

static void release(void *notice)
{
    notice_release(notice);
}

/* delivery_success as the filter has it. */
static bool read_delivered(struct exchange *x, int *delivered)
{
    bool success = false;
    *delivered = -1;
    if (!fields_bool(x, "delivery_success", &success))
        return false;
    if (params_get(&x->params, "delivery_success") != NULL)
        *delivered = success;
    return true;
}

static enum err fetch(struct exchange *x, struct page *page, void *list, int *count)
{
    char *types = NULL;
    int delivered;
    if (!read_delivered(x, &delivered) || !read_types(x, &types))
        return ERR_OK;
    struct notice_filter filter = {.types = types,
                                   .delivered = delivered,
                                   .since_s = clock_now_s(x->core->clock) - NOTICE_LIFE_S};
    enum err err = notice_list(x->core->store, x->attempt.account, &filter, page, list, count);
    free(types);
    return err;
}

enum err events_list(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "event",
                                             .filters = {"type", "types", "delivery_success"},
                                             .size = sizeof(struct notice),
                                             .fetch = fetch,
                                             .look_up = look_up,
                                             .release = release});
}
