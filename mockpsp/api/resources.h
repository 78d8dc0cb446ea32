/* What the operations of the route table do, one file per resource. `check` reads parameters, `run`
 * does the work: see struct operation. */
#ifndef RESOURCES_H
#define RESOURCES_H

#include "exchange.h"

/* payment_intents.c */
void payment_intents_check_create(struct exchange *x);
enum err payment_intents_create(struct exchange *x);
void payment_intents_check_confirm(struct exchange *x);
enum err payment_intents_confirm(struct exchange *x);
enum err payment_intents_retrieve(struct exchange *x);
enum err payment_intents_list(struct exchange *x);

/* search.c */
enum err payment_intents_search(struct exchange *x);
enum err charges_search(struct exchange *x);
enum err customers_search(struct exchange *x);

/* intent_changes.c */
void payment_intents_check_capture(struct exchange *x);
enum err payment_intents_capture(struct exchange *x);
void payment_intents_check_cancel(struct exchange *x);
enum err payment_intents_cancel(struct exchange *x);

/* intent_update.c */
void payment_intents_check_update(struct exchange *x);
enum err payment_intents_update(struct exchange *x);

/* charges.c */
void charges_check_create(struct exchange *x);
enum err charges_create(struct exchange *x);
enum err charges_retrieve(struct exchange *x);
enum err charges_list(struct exchange *x);

/* charge_changes.c */
void charges_check_capture(struct exchange *x);
enum err charges_capture(struct exchange *x);
void charges_check_update(struct exchange *x);
enum err charges_update(struct exchange *x);

/* refunds.c */
void refunds_check_create(struct exchange *x);
void refunds_check_create_of_charge(struct exchange *x);
void refunds_check_update(struct exchange *x);
enum err refunds_update(struct exchange *x);
enum err refunds_create(struct exchange *x);
enum err refunds_retrieve(struct exchange *x);
enum err refunds_list(struct exchange *x);

/* balances.c */
enum err balance_retrieve(struct exchange *x);
enum err balance_transactions_retrieve(struct exchange *x);
enum err balance_transactions_list(struct exchange *x);

/* disputes.c */
void disputes_check_update(struct exchange *x);
enum err disputes_update(struct exchange *x);
void disputes_check_close(struct exchange *x);
enum err disputes_close(struct exchange *x);
enum err disputes_retrieve(struct exchange *x);
enum err disputes_list(struct exchange *x);

/* events.c */
enum err events_retrieve(struct exchange *x);
enum err events_list(struct exchange *x);

/* webhook_endpoints.c */
void webhook_endpoints_check_create(struct exchange *x);
enum err webhook_endpoints_create(struct exchange *x);
void webhook_endpoints_check_update(struct exchange *x);
enum err webhook_endpoints_update(struct exchange *x);
void webhook_endpoints_check_delete(struct exchange *x);
enum err webhook_endpoints_delete(struct exchange *x);
enum err webhook_endpoints_retrieve(struct exchange *x);
enum err webhook_endpoints_list(struct exchange *x);

#endif
