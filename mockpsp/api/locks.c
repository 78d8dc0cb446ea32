#include "locks.h"

#include "charge.h"
#include "dispute.h"
#include "fields.h"
#include "mem.h"
#include "refund.h"
#include "route.h"

#include <stdlib.h>
#include <string.h>

/* A charge goes under the name of its intent, what follows from a charge under that of the charge:
 * they all are one payment. */
static char *name_of(const char *intent, const char *charge)
{
    return mem_strdup(intent == NULL ? charge : intent);
}

static enum err of_charge(struct exchange *x, const char *id, char **name)
{
    struct charge charge;
    enum err err = charge_get(x->core->store, x->attempt.account, id, &charge);
    if (err == ERR_OK)
        *name = name_of(charge.intent, charge.id);
    charge_release(&charge);
    return err;
}

static enum err of_refund(struct exchange *x, const char *id, char **name)
{
    struct refund refund;
    enum err err = refund_get(x->core->store, x->attempt.account, id, &refund);
    if (err == ERR_OK)
        *name = name_of(refund.intent, refund.charge);
    refund_release(&refund);
    return err;
}

static enum err of_dispute(struct exchange *x, const char *id, char **name)
{
    struct dispute dispute;
    enum err err = dispute_get(x->core->store, x->attempt.account, id, &dispute);
    if (err == ERR_OK)
        *name = name_of(dispute.intent, dispute.charge);
    dispute_release(&dispute);
    return err;
}

static const struct kind {
    const char *prefix;
    enum err (*find)(struct exchange *x, const char *id, char **name);
} KINDS[] = {
    {"ch_", of_charge},
    {"re_", of_refund},
    {"du_", of_dispute},
};

/* What is not there is not locked. */
static enum err find_name(struct exchange *x, const char *id, char **name)
{
    for (size_t i = 0; i < sizeof KINDS / sizeof KINDS[0]; i++) {
        if (strncmp(id, KINDS[i].prefix, strlen(KINDS[i].prefix)) != 0)
            continue;
        enum err err = KINDS[i].find(x, id, name);
        return err == ERR_NOT_FOUND ? ERR_OK : err;
    }
    *name = mem_strdup(id);
    return ERR_OK;
}

/* The id that the request speaks of, or NULL: a request that makes something new holds nothing. */
static const char *object_of(const struct exchange *x)
{
    const char *charge = params_get(&x->params, "charge");
    if (x->object_id != NULL)
        return x->object_id;
    return charge == NULL ? params_get(&x->params, "payment_intent") : charge;
}

static bool is_held(const struct exchange *x, const char *name)
{
    for (const struct exchange *other = x->core->alive; other != NULL; other = other->next)
        if (other->lock != NULL && strcmp(other->lock, name) == 0 &&
            strcmp(other->attempt.account, x->attempt.account) == 0)
            return true;
    return false;
}

/* The official libraries try again when they are told to. */
static void refuse(struct exchange *x)
{
    reply_error(&x->reply, (struct api_error){.status = 429,
                                              .code = "lock_timeout",
                                              .message = "Another request is working on this "
                                                         "object. Try again in a moment."});
    reply_header(&x->reply, "Stripe-Should-Retry", "true");
}

bool locks_take(struct exchange *x)
{
    const char *id = object_of(x);
    char *name = NULL;
    if (x->core->limits.unlocked || !route_writes(x) || id == NULL)
        return true;
    if (find_name(x, id, &name) != ERR_OK)
        fields_broken(x);
    else if (name != NULL && is_held(x, name))
        refuse(x);
    else
        mem_set_string(&x->lock, name);
    free(name);
    return !reply_decided(&x->reply);
}

void locks_release(struct exchange *x)
{
    mem_set_string(&x->lock, NULL);
}
