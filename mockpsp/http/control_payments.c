/* /_mock/payment_intents: what customers and banks do */
#include "control_call.h"
#include "settle.h"

#include <string.h>

void control_complete_intent(struct control_call *call)
{
    struct json *intent = NULL;
    const char *outcome = control_input(call, "outcome");
    bool good = outcome != NULL && strcmp(outcome, "succeeded") == 0;
    if (outcome == NULL || (!good && strcmp(outcome, "failed") != 0)) {
        control_refuse(call, 400, "Say how it ends: outcome=succeeded, or outcome=failed.");
        return;
    }
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
