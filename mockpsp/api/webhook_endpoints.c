/* /v1/webhook_endpoints */
#include "endpoint.h"
#include "expand.h"
#include "fields.h"
#include "listing.h"
#include "mem.h"
#include "object_id.h"
#include "objects.h"
#include "resources.h"
#include "webhook_url.h"

#include <stdlib.h>
#include <string.h>

#define MOST_EVENTS    100
#define MOST_ENDPOINTS 16 /* of one account; also, those that hang must not crowd out the rest */

/* What the parameters say; what they do not speak of is NULL. */
struct plan {
    char *url;
    char *events;
    const char *description; /* "" takes it away */
    const char *api_version;
    bool disabled;
};

static void free_plan(void *plan)
{
    free(((struct plan *)plan)->url);
    free(((struct plan *)plan)->events);
    free(plan);
}

static bool refuse(struct exchange *x, const char *code, const char *param, const char *message)
{
    reply_error(&x->reply, (struct api_error){
                               .status = 400, .code = code, .param = param, .message = message});
    return false;
}

static bool read_url(struct exchange *x, struct plan *plan)
{
    const char *url = params_get(&x->params, "url");
    struct err_text why;
    if (url == NULL)
        return true;
    if (webhook_url_check(url, x->core->webhook_any_host, &why) != ERR_OK)
        return refuse(x, "url_invalid", "url", why.text);
    plan->url = mem_strdup(url);
    return true;
}

/* Any name of the right shape: a merchant's set-up may ask for events that never happen here. */
static bool is_type(const char *text)
{
    return strcmp(text, "*") == 0 ||
           (strchr(text, '.') != NULL && strlen(text) <= 100 &&
            text[strspn(text, "abcdefghijklmnopqrstuvwxyz0123456789_.")] == '\0');
}

static bool read_events(struct exchange *x, struct plan *plan)
{
    struct json *events = json_array();
    bool good = true, given = false;
    for (size_t i = 0; i < x->params.count && good; i++) {
        const struct param *param = &x->params.list[i];
        if (!params_under(param, "enabled_events"))
            continue;
        given = true;
        good = is_type(param->value) && json_count(events) < MOST_EVENTS;
        json_push(events, json_string(param->value));
    }
    if (good && given)
        plan->events = json_print(events);
    json_free(events);
    return good || refuse(x, NULL, "enabled_events",
                          "enabled_events is a list of types such as charge.succeeded, or *; at "
                          "most 100.");
}

static bool read_plan(struct exchange *x, struct plan *plan)
{
    char *metadata = NULL;
    const char *description = NULL;
    bool good = read_url(x, plan) && read_events(x, plan) &&
                fields_text(x, "description", 5000, &description) &&
                fields_text(x, "api_version", 50, &plan->api_version) &&
                fields_bool(x, "disabled", &plan->disabled) && fields_metadata(x, &metadata) &&
                expand_check(x, "webhook_endpoint", false);
    plan->description = params_get(&x->params, "description");
    free(metadata); /* read again when it is written */
    return good;
}

static struct plan *new_plan(struct exchange *x)
{
    x->plan = mem_alloc(sizeof(struct plan));
    x->free_plan = free_plan;
    return x->plan;
}

void webhook_endpoints_check_create(struct exchange *x)
{
    static const char *const known[] = {"url",      "enabled_events", "description", "api_version",
                                        "metadata", "connect",        "expand",      NULL};
    struct plan *plan = new_plan(x);
    if (!fields_only(x, known) || !read_plan(x, plan))
        return;
    if (plan->url == NULL)
        refuse(x, "parameter_missing", "url", "Missing required param: url.");
    else if (plan->events == NULL)
        refuse(x, "parameter_missing", "enabled_events", "Missing required param: enabled_events.");
}

static void apply(const struct plan *plan, struct endpoint *endpoint)
{
    if (plan->url != NULL)
        mem_set_string(&endpoint->url, plan->url);
    if (plan->events != NULL)
        mem_set_string(&endpoint->events, plan->events);
    if (plan->description != NULL)
        mem_set_string(&endpoint->description,
                       *plan->description == '\0' ? NULL : plan->description);
}

/* Leaves a refusal when there is no room for another. */
static enum err check_room(struct exchange *x)
{
    int64_t count = 0;
    enum err err = endpoint_count(x->core->store, x->attempt.account, &count);
    if (err == ERR_OK && count >= MOST_ENDPOINTS)
        refuse(x, NULL, NULL, "You have reached the maximum of 16 webhook endpoints.");
    return err;
}

enum err webhook_endpoints_create(struct exchange *x)
{
    const struct plan *plan = x->plan;
    enum err err = check_room(x);
    if (err != ERR_OK || reply_decided(&x->reply))
        return err;
    struct endpoint endpoint = {.created = clock_now_s(x->core->clock),
                                .id = mem_strdup(object_id_make(&x->ids, "we_").text),
                                .secret = mem_strdup(object_id_make(&x->ids, "whsec_").text),
                                .api_version = mem_strdup(plan->api_version)};
    apply(plan, &endpoint);
    if (fields_metadata(x, &endpoint.metadata)) /* good: check has seen it */
        err = endpoint_insert(x->core->store, x->attempt.account, &endpoint);
    if (err == ERR_OK) {
        struct json *json = endpoint_render(&endpoint);
        json_set_string(json, "secret", endpoint.secret);
        reply_object(&x->reply, 200, json);
    }
    endpoint_release(&endpoint);
    return err;
}

static void check_exists(struct exchange *x)
{
    struct endpoint endpoint;
    enum err err = endpoint_get(x->core->store, x->attempt.account, x->object_id, &endpoint);
    endpoint_release(&endpoint);
    if (err == ERR_NOT_FOUND)
        fields_not_there(x, "webhook_endpoint");
    else if (err != ERR_OK)
        fields_broken(x);
}

void webhook_endpoints_check_update(struct exchange *x)
{
    static const char *const known[] = {"url",      "enabled_events", "description", "metadata",
                                        "disabled", "expand",         NULL};
    struct plan *plan = new_plan(x);
    if (fields_only(x, known) && read_plan(x, plan))
        check_exists(x);
}

enum err webhook_endpoints_update(struct exchange *x)
{
    const struct plan *plan = x->plan;
    struct endpoint endpoint;
    enum err err = endpoint_get(x->core->store, x->attempt.account, x->object_id, &endpoint);
    if (err == ERR_OK) {
        apply(plan, &endpoint);
        if (params_get(&x->params, "disabled") != NULL)
            endpoint.disabled = plan->disabled;
        if (fields_metadata_merge(x, &endpoint.metadata))
            err = endpoint_update(x->core->store, &endpoint);
        if (err == ERR_OK && !reply_decided(&x->reply))
            reply_object(&x->reply, 200, endpoint_render(&endpoint));
    }
    endpoint_release(&endpoint);
    return err;
}

void webhook_endpoints_check_delete(struct exchange *x)
{
    static const char *const known[] = {NULL};
    if (fields_only(x, known))
        check_exists(x);
}

enum err webhook_endpoints_delete(struct exchange *x)
{
    enum err err = endpoint_delete(x->core->store, x->object_id);
    if (err != ERR_OK)
        return err;
    struct json *json = json_object();
    json_set_string(json, "id", x->object_id);
    json_set_string(json, "object", "webhook_endpoint");
    json_set_bool(json, "deleted", true);
    reply_object(&x->reply, 200, json);
    return ERR_OK;
}

enum err webhook_endpoints_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "webhook_endpoint", "we_");
}

static struct json *item(const void *endpoint)
{
    return endpoint_render(endpoint);
}

static void release(void *endpoint)
{
    endpoint_release(endpoint);
}

static enum err fetch(struct exchange *x, struct page *page, void *list, int *count)
{
    return endpoint_list(x->core->store, x->attempt.account, page, list, count);
}

enum err webhook_endpoints_list(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "webhook_endpoint",
                                             .size = sizeof(struct endpoint),
                                             .fetch = fetch,
                                             .item = item,
                                             .release = release});
}
