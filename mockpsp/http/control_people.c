/* /_mock/checkout and /_mock/setup_intents: what the merchant's customers do */
#include "card.h"
#include "checkout.h"
#include "control_call.h"
#include "setup_flow.h"

#include <string.h>

static void reply_changed(struct control_call *call, enum err err, struct json *object,
                          const char *missing, const char *waits_not)
{
    if (err == ERR_NOT_FOUND)
        control_refuse(call, 404, missing);
    else if (err == ERR_INVALID)
        control_refuse(call, 400, waits_not);
    else if (err != ERR_OK)
        control_broken(call);
    else
        reply_object(call->reply, 200, object);
}

void control_complete_setup(struct control_call *call)
{
    struct json *intent = NULL;
    const char *outcome = control_input(call, "outcome");
    bool good = outcome != NULL && strcmp(outcome, "succeeded") == 0;
    if (outcome == NULL || (!good && strcmp(outcome, "failed") != 0)) {
        control_refuse(call, 400, "Say how it ends: outcome=succeeded, or outcome=failed.");
        return;
    }
    enum err err = setup_flow_complete(call->control->core, call->account, call->id, good, &intent);
    reply_changed(call, err, intent, "There is no such SetupIntent.",
                  "This SetupIntent waits for nobody: only one that requires_action can be "
                  "completed.");
}

/* The test card with which the customer pays, and which does what OUTCOME says; NULL when the two
 * do not go together. Of a bank account the page knows no more than that it was given. */
static const struct card *card_for(const char *outcome, const char *method)
{
    bool paid = strcmp(outcome, "paid") == 0;
    if (!paid && strcmp(outcome, "declined") != 0)
        return NULL;
    if (method == NULL)
        return card_find(paid ? "pm_card_visa" : "pm_card_chargeDeclined");
    const struct card *card = card_find(method);
    if (card == NULL)
        return NULL;
    bool good = card->decline_code == NULL || card->settles != CARD_SETTLES_AT_ONCE;
    return paid == good ? card : NULL;
}

void control_complete_session(struct control_call *call)
{
    struct json *session = NULL;
    const char *outcome = control_input(call, "outcome");
    const struct card *card =
        outcome == NULL ? NULL : card_for(outcome, control_input(call, "payment_method"));
    if (card == NULL) {
        control_refuse(
            call, 400,
            "Say how it ends: outcome=paid, or outcome=declined; payment_method may name "
            "a test card that does that, or a bank account that is going to be asked.");
        return;
    }
    enum err err = checkout_complete(call->control->core, call->account, call->id, card, &session);
    reply_changed(
        call, err, session, "There is no such Checkout Session.",
        "Nobody can pay so on this page: only one that is open, and whose intent still waits "
        "for a payment method, can be completed, with one of its payment_method_types.");
}
