/* /_mock/payment_intents, /_mock/payments and /_mock/disputes: what customers and banks do */
#include "control_call.h"
#include "disputes.h"
#include "settle.h"

#include <string.h>

/* How it ends. False after refusing. */
static bool read_outcome(struct control_call *call, bool *good)
{
    const char *outcome = control_input(call, "outcome");
    *good = outcome != NULL && strcmp(outcome, "succeeded") == 0;
    if (*good || (outcome != NULL && strcmp(outcome, "failed") == 0))
        return true;
    control_refuse(call, 400, "Say how it ends: outcome=succeeded, or outcome=failed.");
    return false;
}

void control_complete_intent(struct control_call *call)
{
    struct json *intent = NULL;
    bool good;
    if (!read_outcome(call, &good))
        return;
    enum err err = settle_complete(call->control->core, call->account, call->id, good, &intent);
    if (err == ERR_NOT_FOUND)
        control_refuse(call, 404, "There is no such PaymentIntent.");
    else if (err == ERR_INVALID)
        control_refuse(call, 400,
                       "This PaymentIntent waits for nobody: only what is processing, or "
                       "requires_action, can be completed.");
    else if (err != ERR_OK)
        control_broken(call);
    else
        reply_object(call->reply, 200, intent);
}

void control_complete_payment(struct control_call *call)
{
    struct json *payment = NULL;
    bool good;
    if (!read_outcome(call, &good))
        return;
    enum err err =
        settle_complete_payment(call->control->core, call->account, call->id, good, &payment);
    if (err == ERR_NOT_FOUND)
        control_refuse(call, 404, "There is no such payment of the plain face.");
    else if (err == ERR_INVALID)
        control_refuse(call, 400, "Only a payment that is PROCESSING can be completed.");
    else if (err != ERR_OK)
        control_broken(call);
    else
        reply_object(call->reply, 200, payment);
}

void control_complete_dispute(struct control_call *call)
{
    struct json *dispute = NULL;
    const char *outcome = control_input(call, "outcome");
    bool won = outcome != NULL && strcmp(outcome, "won") == 0;
    if (outcome == NULL || (!won && strcmp(outcome, "lost") != 0)) {
        control_refuse(call, 400, "Say how the bank decides: outcome=won, or outcome=lost.");
        return;
    }
    enum err err = disputes_decide(call->control->core, call->account, call->id, won, &dispute);
    if (err == ERR_NOT_FOUND)
        control_refuse(call, 404, "There is no such dispute.");
    else if (err == ERR_INVALID)
        control_refuse(call, 400, "Only a dispute that is under_review can be decided.");
    else if (err != ERR_OK)
        control_broken(call);
    else
        reply_object(call->reply, 200, dispute);
}
