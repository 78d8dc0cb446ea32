#include "listing.h"

#include "expand.h"
#include "fields.h"
#include "lag.h"
#include "mem.h"
#include "objects.h"

#include <stdlib.h>
#include <string.h>

#define TIME_LAST INT64_C(253402300799) /* the last second of the year 9999 */

/* A cursor that names nothing in this list would give an empty page, which reads as "the end". */
static bool cursor(struct exchange *x, const char *kind, const char *name, const char **id)
{
    if (!fields_text(x, name, 255, id))
        return false;
    if (*id == NULL)
        return true;
    struct json *object;
    enum err err = objects_render(x, *id, &object);
    if (err == ERR_OK && strcmp(json_get_string(object, "object"), kind) != 0)
        err = ERR_NOT_FOUND;
    json_free(object);
    if (err == ERR_NOT_FOUND) {
        fields_missing(x, kind, name, *id);
        x->reply.status = 400;
    } else if (err != ERR_OK) {
        fields_broken(x);
    }
    return err == ERR_OK;
}

static bool known_only(struct exchange *x, const struct listing *listing)
{
    const char *known[LISTING_FILTERS_MOST + 6] = {"limit", "starting_after", "ending_before",
                                                   "created", "expand"};
    for (size_t i = 0; i < LISTING_FILTERS_MOST; i++)
        known[5 + i] = listing->filters[i];
    return fields_only(x, known);
}

static bool bound_known(struct exchange *x)
{
    static const char *const known[] = {"created", "created[gte]", "created[gt]", "created[lte]",
                                        "created[lt]"};
    for (size_t i = 0; i < x->params.count; i++) {
        const char *name = x->params.list[i].name;
        bool found = !params_under(&x->params.list[i], "created");
        for (size_t k = 0; k < sizeof known / sizeof known[0] && !found; k++)
            found = strcmp(name, known[k]) == 0;
        if (found)
            continue;
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .code = "parameter_unknown",
                                                  .param = name,
                                                  .message = "A time is given by created, or by "
                                                             "gte, gt, lte and lt in it."});
        return false;
    }
    return true;
}

/* Times are whole seconds, so that every bound is one of "from" and "before". */
static bool times(struct exchange *x, struct page *page)
{
    int64_t at = -1, gte = 0, gt = -1, lte = TIME_LAST, lt = TIME_LAST + 1;
    if (!bound_known(x) || !fields_int(x, "created", 0, TIME_LAST, &at) ||
        !fields_int(x, "created[gte]", 0, TIME_LAST, &gte) ||
        !fields_int(x, "created[gt]", 0, TIME_LAST, &gt) ||
        !fields_int(x, "created[lte]", 0, TIME_LAST, &lte) ||
        !fields_int(x, "created[lt]", 1, TIME_LAST, &lt))
        return false;
    if (at >= 0)
        gte = lte = at;
    page->created_from = gt >= gte ? gt + 1 : gte;
    page->created_before = lt <= lte ? lt : lte + 1;
    lag_limit_page(x, page);
    return true;
}

static bool open_page(struct exchange *x, const struct listing *listing, struct page *page)
{
    const char *kind = listing->kind;
    int64_t limit = PAGE_DEFAULT;
    if (!known_only(x, listing) || !expand_check(x, kind, true))
        return false;
    if (!fields_int(x, "limit", 1, PAGE_LARGEST, &limit))
        return false;
    page->limit = (int)limit;
    if (!times(x, page) || !cursor(x, kind, "starting_after", &page->starting_after) ||
        !cursor(x, kind, "ending_before", &page->ending_before))
        return false;
    if (page->starting_after == NULL || page->ending_before == NULL)
        return true;
    reply_error(&x->reply,
                (struct api_error){.status = 400,
                                   .param = "ending_before",
                                   .message = "Give starting_after or ending_before, not both."});
    return false;
}

/* ENTRY as it stands in the list, at the end of DATA. */
static enum err push(struct exchange *x, const struct listing *listing, const void *entry,
                     struct json *data)
{
    struct json *object;
    enum err err = ERR_OK;
    if (listing->item != NULL)
        object = listing->item(entry);
    else
        err = listing->look_up(x, entry, &object);
    if (err != ERR_OK)
        return err;
    json_push(data, object);
    return expand_apply(x, object, true);
}

static enum err reply_page(struct exchange *x, const struct listing *listing,
                           const struct page *page, const void *list, int count)
{
    struct json *data = json_array();
    enum err err = ERR_OK;
    for (int i = 0; i < count && err == ERR_OK; i++) {
        /* ending_before walked upwards: turn it round, the newest comes first. */
        int at = page->ending_before == NULL ? i : count - 1 - i;
        err = push(x, listing, (const char *)list + (size_t)at * listing->size, data);
    }
    if (err != ERR_OK) {
        json_free(data);
        return err;
    }
    struct json *json = json_object();
    json_set_string(json, "object", "list");
    json_set(json, "data", data);
    json_set_bool(json, "has_more", page->has_more);
    json_set_string(json, "url", x->request.path);
    reply_object(&x->reply, 200, json);
    return ERR_OK;
}

enum err listing_show(struct exchange *x, const struct listing *listing)
{
    struct page page = {0};
    int count = 0;
    if (!open_page(x, listing, &page))
        return ERR_OK;
    char *list = mem_alloc((PAGE_LARGEST + 1) * listing->size);
    enum err err = listing->fetch(x, &page, list, &count);
    int shown = page_close(&page, count);
    if (err == ERR_OK && !reply_decided(&x->reply))
        err = reply_page(x, listing, &page, list, shown);
    for (int i = 0; i < count; i++)
        listing->release(list + (size_t)i * listing->size);
    free(list);
    return err;
}
