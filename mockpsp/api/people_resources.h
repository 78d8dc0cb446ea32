/* The operations about people: who pays, with what, and the page they pay on. See resources.h. */
#ifndef PEOPLE_RESOURCES_H
#define PEOPLE_RESOURCES_H

#include "exchange.h"

/* customers.c */
void customers_check_create(struct exchange *x);
enum err customers_create(struct exchange *x);
enum err customers_retrieve(struct exchange *x);
void customers_check_update(struct exchange *x);
enum err customers_update(struct exchange *x);
void customers_check_delete(struct exchange *x);
enum err customers_delete(struct exchange *x);
enum err customers_list(struct exchange *x);

/* payment_methods.c */
void payment_methods_check_create(struct exchange *x);
enum err payment_methods_create(struct exchange *x);
void payment_methods_check_attach(struct exchange *x);
enum err payment_methods_attach(struct exchange *x);
void payment_methods_check_detach(struct exchange *x);
enum err payment_methods_detach(struct exchange *x);
void payment_methods_check_update(struct exchange *x);
enum err payment_methods_update(struct exchange *x);
enum err payment_methods_retrieve(struct exchange *x);
enum err payment_methods_list(struct exchange *x);
enum err payment_methods_retrieve_of_customer(struct exchange *x);
enum err payment_methods_list_of_customer(struct exchange *x);

/* setup_intents.c */
void setup_intents_check_create(struct exchange *x);
enum err setup_intents_create(struct exchange *x);
void setup_intents_check_confirm(struct exchange *x);
enum err setup_intents_confirm(struct exchange *x);
void setup_intents_check_update(struct exchange *x);
enum err setup_intents_update(struct exchange *x);
void setup_intents_check_cancel(struct exchange *x);
enum err setup_intents_cancel(struct exchange *x);
enum err setup_intents_retrieve(struct exchange *x);
enum err setup_intents_list(struct exchange *x);

/* checkout_sessions.c */
void checkout_sessions_check_create(struct exchange *x);
enum err checkout_sessions_create(struct exchange *x);
void checkout_sessions_check_update(struct exchange *x);
enum err checkout_sessions_update(struct exchange *x);
void checkout_sessions_check_expire(struct exchange *x);
enum err checkout_sessions_expire(struct exchange *x);
enum err checkout_sessions_retrieve(struct exchange *x);
enum err checkout_sessions_list(struct exchange *x);
enum err checkout_sessions_line_items(struct exchange *x);

#endif
