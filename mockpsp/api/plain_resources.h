/* What the operations of the plain face do, one file per resource: see resources.h. */
#ifndef PLAIN_RESOURCES_H
#define PLAIN_RESOURCES_H

#include "exchange.h"

/* oauth.c */
void oauth_check_token(struct exchange *x);
enum err oauth_token(struct exchange *x);

/* plain_payments.c */
void plain_payments_check_create(struct exchange *x);
enum err plain_payments_create(struct exchange *x);
enum err plain_payments_retrieve(struct exchange *x);
enum err plain_payments_operation(struct exchange *x);
enum err plain_payments_list(struct exchange *x);

/* plain_refunds.c */
void plain_refunds_check_create(struct exchange *x);
enum err plain_refunds_create(struct exchange *x);
enum err plain_refunds_list(struct exchange *x);

#endif
