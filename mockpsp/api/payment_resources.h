/* What the operations of the route table do with payments: see resources.h. */
#ifndef PAYMENT_RESOURCES_H
#define PAYMENT_RESOURCES_H

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
void refunds_check_cancel(struct exchange *x);
enum err refunds_cancel(struct exchange *x);
enum err refunds_create(struct exchange *x);
enum err refunds_retrieve(struct exchange *x);
enum err refunds_list(struct exchange *x);

#endif
