#include "parcel.h"

#include "delivery_faults.h"
#include "endpoint.h"
#include "fate.h"
#include "forgery.h"
#include "log.h"
#include "mem.h"
#include "notice.h"
#include "shipment.h"
#include "signature.h"

#include <stdlib.h>

struct parcel {
    struct office *office;
    struct delivery delivery;
    struct fate *fate;         /* while it is being asked about */
    struct shipment *shipment; /* while it is on the wire */
    char *url;
    parcel_over *over;
    void *context;
};

/* Once for each: whoever gave the wrong port shall see it. */
static void say_failed(const struct parcel *parcel, int status, const char *error)
{
    if (shipment_is_acknowledged(status) || parcel->delivery.attempts > 0)
        return;
    if (error != NULL)
        log_info("webhook to %s: %s", parcel->url, error);
    else
        log_info("webhook to %s: answered with %d", parcel->url, status);
}

/* Nobody is told of a failure to note it: it stays due, and is sent again. */
static void answered(void *context, int status, const char *error)
{
    struct parcel *parcel = context;
    struct office *office = parcel->office;
    struct delivery_outcome outcome = {
        .status = status, .error = error, .at_ms = clock_now_ms(office->clock)};
    say_failed(parcel, status, error);
    enum err err = delivery_finish(office->store, &parcel->delivery, &outcome);
    if (err == ERR_OK)
        err = delivery_let_go(office->store, &parcel->delivery);
    parcel->over(parcel->context, parcel, err);
}

/* --- on the wire ------------------------------------------------------------------------------ */

static char *sign(const struct office *office, const struct endpoint *endpoint, const char *body)
{
    const char *secrets[] = {endpoint->secret, endpoint->old_secret};
    bool rolling =
        endpoint->old_secret != NULL && clock_now_ms(office->clock) < endpoint->old_secret_until_ms;
    int64_t now_ms = office->machine.now_ms(office->machine.self);
    return signature_make(now_ms / 1000, body, secrets, rolling ? 2 : 1);
}

/* EVENT is changed for it. */
static struct letter forge(const struct office *office, const struct endpoint *endpoint,
                           struct json *event)
{
    char *secret = forgery_secret(endpoint->secret);
    const char *secrets[] = {secret};
    forgery_make(event);
    char *body = json_print_pretty(event);
    int64_t now_ms = office->machine.now_ms(office->machine.self);
    char *signature = signature_make(now_ms / 1000, body, secrets, 1);
    free(secret);
    return (struct letter){body, signature};
}

static void ship(struct parcel *parcel, const struct endpoint *endpoint, struct json *event)
{
    struct office *office = parcel->office;
    const struct delivery_fate *fate = &parcel->delivery.fate;
    char *body = json_print_pretty(event);
    struct shipment_order order = {.url = endpoint->url,
                                   .letter = {body, sign(office, endpoint, body)},
                                   .twice = fate->duplicated};
    if (fate->forged)
        order.forged = forge(office, endpoint, event);
    if (office->poster == NULL)
        office->poster = poster_new(office->loop);
    mem_set_string(&parcel->url, endpoint->url);
    parcel->shipment = shipment_start(office->poster, &order, answered, parcel);
}

/* The event as it is sent now. */
static enum err render(const struct parcel *parcel, const struct notice *notice,
                       struct json **event)
{
    int64_t pending = 0;
    enum err err = delivery_pending(parcel->office->store, parcel->delivery.event, &pending);
    *event = err == ERR_OK ? notice_render(notice, pending) : NULL;
    return err;
}

static enum err try_to_ship(struct parcel *parcel, const struct endpoint *endpoint,
                            const struct notice *notice)
{
    struct json *event;
    enum err err = render(parcel, notice, &event);
    if (err == ERR_OK)
        ship(parcel, endpoint, event);
    json_free(event);
    return err;
}

/* Reads what a parcel is made of, and calls USE with it. */
static enum err look_up(struct parcel *parcel,
                        enum err (*use)(struct parcel *parcel, const struct endpoint *endpoint,
                                        const struct notice *notice))
{
    struct store *store = parcel->office->store;
    struct endpoint endpoint = {0};
    struct notice notice = {0};
    enum err err = endpoint_get(store, NULL, parcel->delivery.endpoint, &endpoint);
    if (err == ERR_OK)
        err = notice_get(store, NULL, parcel->delivery.event, &notice);
    if (err == ERR_OK)
        err = use(parcel, &endpoint, &notice);
    endpoint_release(&endpoint);
    notice_release(&notice);
    return err;
}

/* --- what faults do to it --------------------------------------------------------------------- */

static enum err note_fault(const struct parcel *parcel, const char *act)
{
    const struct office *office = parcel->office;
    struct event event = event_new(EVENT_FAULT, 0, clock_now_ms(office->clock));
    event.order = mem_strdup(fate_order(parcel->fate));
    json_set_string(event.data, "at", failpoint_name(FAILPOINT_WEBHOOK));
    json_set_string(event.data, "act", act);
    json_set_string(event.data, "event", parcel->delivery.event);
    json_set_string(event.data, "event_type", fate_event_type(parcel->fate));
    json_set_string(event.data, "endpoint", parcel->delivery.endpoint);
    json_set_int(event.data, "attempt", parcel->delivery.attempts + 1);
    enum err err = journal_add(office->journal, parcel->delivery.account, event);
    return err == ERR_OK ? delivery_note(office->store, &parcel->delivery, act) : err;
}

static enum err write_down(const struct parcel *parcel)
{
    const struct office *office = parcel->office;
    const char *act;
    enum err err = store_begin(office->store);
    for (size_t i = 0; err == ERR_OK && (act = fate_act(parcel->fate, i)) != NULL; i++)
        err = note_fault(parcel, act);
    if (err == ERR_OK)
        err = delivery_decide(office->store, &parcel->delivery, fate_get(parcel->fate),
                              clock_now_ms(office->clock));
    if (err == ERR_OK)
        err = journal_commit(office->journal);
    if (err != ERR_OK)
        journal_rollback(office->journal);
    return err;
}

/* The source may have taken its time, and the delivery have been forgotten meanwhile. */
static enum err go_on(struct parcel *parcel, bool *waits)
{
    const struct delivery_fate *fate = fate_get(parcel->fate);
    bool stands = false;
    enum err err = delivery_stands(parcel->office->store, &parcel->delivery, &stands);
    *waits = !stands || fate->lost || fate->delay_ms > 0 || fate->held_ms > 0;
    if (err == ERR_OK && stands && fate_strikes(parcel->fate))
        err = write_down(parcel);
    parcel->delivery.fate = *fate;
    return err;
}

static void decided(void *context)
{
    struct parcel *parcel = context;
    bool waits = false;
    enum err err = go_on(parcel, &waits);
    fate_free(parcel->fate);
    parcel->fate = NULL;
    if (err == ERR_OK && !waits)
        err = look_up(parcel, try_to_ship);
    if (err != ERR_OK || waits)
        parcel->over(parcel->context, parcel, err);
}

static enum err ask(struct parcel *parcel, const struct endpoint *endpoint,
                    const struct notice *notice)
{
    const struct office *office = parcel->office;
    parcel->fate = fate_new(office->live, office->faults, &parcel->delivery, endpoint->url, notice);
    return ERR_OK;
}

/* --- beginning and end ------------------------------------------------------------------------ */

struct parcel *parcel_new(struct office *office, struct delivery *delivery, parcel_over *over,
                          void *context)
{
    struct parcel *parcel = mem_alloc(sizeof *parcel);
    *parcel =
        (struct parcel){.office = office, .delivery = *delivery, .over = over, .context = context};
    *delivery = (struct delivery){0};
    return parcel;
}

void parcel_send(struct parcel *parcel)
{
    enum err err = look_up(parcel, parcel->delivery.decided ? try_to_ship : ask);
    if (err != ERR_OK)
        parcel->over(parcel->context, parcel, err);
    else if (parcel->fate != NULL)
        fate_ask(parcel->fate, decided, parcel);
}

const struct delivery *parcel_delivery(const struct parcel *parcel)
{
    return &parcel->delivery;
}

void parcel_free(struct parcel *parcel)
{
    shipment_free(parcel->shipment);
    fate_free(parcel->fate);
    free(parcel->url);
    delivery_release(&parcel->delivery);
    free(parcel);
}
