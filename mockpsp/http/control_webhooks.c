/* /_mock/webhooks: what was sent, sending it again, and new secrets */
#include "control_call.h"
#include "crypto.h"
#include "delivery.h"
#include "duration.h"
#include "endpoint.h"
#include "mem.h"
#include "notice.h"
#include "sender.h"
#include "webhook_url.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DELIVERIES INT64_C(10000)
#define ONE_DAY_MS      INT64_C(86400000)

static void reply_deliveries(struct control_call *call, const char *event, int64_t limit)
{
    struct store *store = call->control->core->store;
    struct json *deliveries, *endpoints = NULL;
    enum err err = delivery_report(store, call->account, event, limit, &deliveries);
    if (err == ERR_OK)
        err = endpoint_report(store, call->account, &endpoints);
    if (err != ERR_OK) {
        json_free(deliveries);
        control_broken(call);
        return;
    }
    struct json *json = json_object();
    json_set(json, "endpoints", endpoints);
    json_set(json, "deliveries", deliveries);
    reply_object(call->reply, 200, json);
}

void control_get_webhooks(struct control_call *call)
{
    int64_t limit = MOST_DELIVERIES;
    if (control_number(call, "limit", MOST_DELIVERIES, &limit))
        reply_deliveries(call, control_input(call, "event"), limit);
}

/* --- once more -------------------------------------------------------------------------------- */

static enum err resend(struct core *core, const char *account, const char *event)
{
    struct notice notice;
    char *owner = NULL;
    enum err err = notice_get(core->store, account, event, &notice);
    if (err == ERR_OK)
        err = notice_account(core->store, event, &owner);
    if (err == ERR_OK)
        err = delivery_again(core->store, owner, event, notice.type, clock_now_ms(core->clock));
    notice_release(&notice);
    free(owner);
    return err;
}

void control_resend_webhook(struct control_call *call)
{
    struct core *core = call->control->core;
    enum err err = store_begin(core->store);
    if (err == ERR_OK)
        err = resend(core, call->account, call->id);
    if (err == ERR_OK)
        err = store_commit(core->store);
    else
        store_rollback(core->store);
    if (err == ERR_OK) {
        sender_poke(core->sender);
        reply_deliveries(call, call->id, MOST_DELIVERIES);
    } else if (err == ERR_NOT_FOUND) {
        control_refuse(call, 404, "There is no such event.");
    } else {
        control_broken(call);
    }
}

/* --- another secret --------------------------------------------------------------------------- */

/* From the secret so far: as good as any, and never the same twice. */
static char *next_secret(const struct endpoint *endpoint)
{
    struct crypto_digest digest = crypto_sha256(endpoint->secret, strlen(endpoint->secret));
    return mem_printf("whsec_%.32s", digest.hex);
}

static void reply_rolled(struct control_call *call, const struct endpoint *endpoint)
{
    struct json *json = json_object();
    json_set_string(json, "endpoint", endpoint->id);
    json_set_string(json, "secret", endpoint->secret);
    json_set_string(json, "old_secret", endpoint->old_secret);
    json_set_int(json, "old_secret_until_ms", endpoint->old_secret_until_ms);
    reply_object(call->reply, 200, json);
}

static void roll(struct control_call *call, const char *secret, int64_t expires_ms)
{
    struct core *core = call->control->core;
    struct endpoint endpoint;
    enum err err = endpoint_get(core->store, call->account, call->id, &endpoint);
    if (err == ERR_OK) {
        char *next = secret == NULL ? next_secret(&endpoint) : mem_strdup(secret);
        endpoint_roll(&endpoint, next, clock_now_ms(core->clock) + expires_ms);
        free(next);
        err = endpoint_update(core->store, &endpoint);
    }
    if (err == ERR_OK)
        reply_rolled(call, &endpoint);
    else if (err == ERR_NOT_FOUND)
        control_refuse(call, 404, "There is no such webhook endpoint.");
    else
        control_broken(call);
    endpoint_release(&endpoint);
}

void control_roll_webhook(struct control_call *call)
{
    struct err_text why;
    int64_t expires_ms = ONE_DAY_MS;
    const char *secret = control_input(call, "secret");
    const char *expires = control_input(call, "expires");
    if (secret != NULL && !webhook_secret_is_good(secret))
        control_refuse(call, 400, "A webhook secret starts with whsec_ and goes on.");
    else if (expires != NULL && duration_parse(expires, &expires_ms, &why) != ERR_OK)
        control_refuse(call, 400, why.text);
    else
        roll(call, secret, expires_ms);
}
