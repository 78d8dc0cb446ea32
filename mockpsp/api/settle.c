#include "settle.h"

#include "checkout.h"
#include "due.h"
#include "intent_flow.h"
#include "log.h"
#include "mem.h"
#include "payment.h"
#include "plain.h"
#include "refunding.h"
#include "render.h"

#include <stdlib.h>
#include <string.h>

#define TRY_AGAIN_MS INT64_C(1000)
#define LONGEST_MS   INT64_C(3600000) /* a timer for more is set again then */

/* --- one payment ------------------------------------------------------------------------------ */

/* The intent, if there is one, goes where its charge has gone. */
static enum err follow(struct cause *cause, const struct charge *charge)
{
    struct intent intent;
    if (charge->intent == NULL)
        return ERR_OK;
    enum err err = intent_get(cause->core->store, cause->account, charge->intent, &intent);
    if (err == ERR_OK)
        err = intent_flow_follow(cause, &intent, charge);
    if (err == ERR_OK)
        err = intent_update(cause->core->store, &intent);
    if (err == ERR_OK)
        err = checkout_follow(cause, charge);
    intent_release(&intent);
    return err;
}

/* REASON: why the bank says no; NULL: it pays. What was only authorized, and not captured in time,
 * is released. */
static enum err settle(struct cause *cause, const char *id, const char *reason)
{
    struct charge charge;
    enum err err = charge_get(cause->core->store, cause->account, id, &charge);
    if (err == ERR_OK && charge.state == CHARGE_AUTHORIZED)
        err = payment_release(cause, &charge);
    else if (err == ERR_OK && reason == NULL)
        err = payment_capture(cause, &charge, charge.amount);
    else if (err == ERR_OK)
        err = payment_fail(cause, &charge, reason);
    if (err == ERR_OK)
        err = follow(cause, &charge);
    charge_release(&charge);
    return err;
}

static enum err commit(struct core *core, enum err err)
{
    if (err == ERR_OK)
        err = journal_commit(core->journal);
    if (err != ERR_OK)
        journal_rollback(core->journal);
    return err;
}

static enum err settle_alone(struct core *core, const struct due *due)
{
    struct cause cause;
    enum err err = store_begin(core->store);
    if (err == ERR_OK)
        err = cause_nobody(&cause, core, due->account);
    if (err == ERR_OK)
        err = strncmp(due->id, "re_", 3) == 0 ? refunding_settle(&cause, due->id)
                                              : settle(&cause, due->id, due->card->decline_code);
    return commit(core, err);
}

/* --- time ------------------------------------------------------------------------------------- */

static void timer_due(void *context)
{
    struct core *core = context;
    core->settle_timer = NULL;
    settle_due(core);
}

static void set_timer(struct core *core, int64_t due_ms, int64_t after_ms)
{
    loop_timer_stop(core->settle_timer);
    core->settle_ms = due_ms;
    core->settle_timer =
        loop_after(core->loop, after_ms < LONGEST_MS ? after_ms : LONGEST_MS, timer_due, core);
}

void settle_expect(struct core *core, int64_t due_ms)
{
    int64_t now = clock_now_ms(core->clock);
    if (core->clock->manual || (core->settle_timer != NULL && core->settle_ms <= due_ms))
        return;
    set_timer(core, due_ms, due_ms > now ? due_ms - now : 0);
}

void settle_stop(struct core *core)
{
    loop_timer_stop(core->settle_timer);
    core->settle_timer = NULL;
}

static enum err expire_pages(struct core *core)
{
    int64_t next_ms;
    enum err err = checkout_expire_due(core, &next_ms);
    if (err == ERR_OK && next_ms != 0)
        settle_expect(core, next_ms);
    return err;
}

void settle_due(struct core *core)
{
    enum err err = ERR_OK;
    settle_stop(core);
    while (err == ERR_OK) {
        struct due due;
        err = due_next(core->store, &due);
        bool ripe = err == ERR_OK && due.at_ms <= clock_now_ms(core->clock);
        if (ripe)
            err = settle_alone(core, &due);
        else if (err == ERR_OK)
            settle_expect(core, due.at_ms);
        due_release(&due);
        if (!ripe)
            break;
    }
    if (err == ERR_OK || err == ERR_NOT_FOUND)
        err = expire_pages(core);
    if (err == ERR_OK)
        return;
    log_error("what is due could not settle");
    core_broken(core);
    set_timer(core, 0, TRY_AGAIN_MS);
}

/* --- people ----------------------------------------------------------------------------------- */

/* A bank that would have paid and is told not to says the customer never allowed it. */
static const char *reason_of(const struct card *card)
{
    const char *reason = card == NULL ? NULL : card->decline_code;
    return reason == NULL ? "debit_not_authorized" : reason;
}

static enum err complete(struct cause *cause, struct intent *intent, bool good)
{
    if (intent->status == INTENT_PROCESSING)
        return settle(cause, intent->latest_charge, good ? NULL : reason_of(intent->card));
    if (intent->status != INTENT_REQUIRES_ACTION)
        return ERR_INVALID;
    enum err err = intent_flow_authenticated(cause, intent, good);
    return err == ERR_OK ? intent_update(cause->core->store, intent) : err;
}

static enum err complete_and_render(struct cause *cause, const char *id, bool good,
                                    struct json **object)
{
    struct intent intent;
    enum err err = intent_get(cause->core->store, cause->account, id, &intent);
    if (err == ERR_OK)
        err = complete(cause, &intent, good);
    intent_release(&intent);
    if (err == ERR_OK)
        err = intent_get(cause->core->store, cause->account, id, &intent);
    if (err == ERR_OK)
        *object = render_intent(&intent);
    intent_release(&intent);
    return err;
}

/* The same for a payment of the plain face, which has no intent. */
static enum err complete_payment(struct cause *cause, const char *id, bool good,
                                 struct json **object)
{
    struct plain_payment payment;
    enum err err = plain_payment_get(cause->core->store, cause->account, id, &payment);
    if (err == ERR_OK && payment.charge.state != CHARGE_PENDING)
        err = ERR_INVALID;
    else if (err == ERR_OK)
        err = settle(cause, id, good ? NULL : reason_of(payment.charge.card));
    plain_payment_release(&payment);
    if (err == ERR_OK)
        err = plain_payment_get(cause->core->store, cause->account, id, &payment);
    if (err == ERR_OK)
        *object = plain_render_payment(&payment);
    plain_payment_release(&payment);
    return err;
}

/* In a transaction of its own, on behalf of OWNER. */
static enum err complete_alone(struct core *core, const char *owner,
                               enum err (*how)(struct cause *, const char *, bool, struct json **),
                               const char *id, bool good, struct json **object)
{
    struct cause cause;
    enum err err = store_begin(core->store);
    if (err == ERR_OK)
        err = cause_nobody(&cause, core, owner);
    if (err == ERR_OK)
        err = how(&cause, id, good, object);
    err = commit(core, err);
    if (err != ERR_OK) {
        json_free(*object);
        *object = NULL;
    }
    return err;
}

enum err settle_complete(struct core *core, const char *account, const char *id, bool good,
                         struct json **intent)
{
    char *owner = mem_strdup(account);
    *intent = NULL;
    enum err err = owner == NULL ? intent_owner(core->store, id, &owner) : ERR_OK;
    if (err == ERR_OK)
        err = complete_alone(core, owner, complete_and_render, id, good, intent);
    free(owner);
    return err;
}

enum err settle_complete_payment(struct core *core, const char *account, const char *id, bool good,
                                 struct json **payment)
{
    char *owner = mem_strdup(account);
    *payment = NULL;
    enum err err = owner == NULL ? plain_payment_owner(core->store, id, &owner) : ERR_OK;
    if (err == ERR_OK)
        err = complete_alone(core, owner, complete_payment, id, good, payment);
    free(owner);
    return err;
}
