/* What the operations of the route table do, one file per resource. `check` reads parameters, `run`
 * does the work: see struct operation. */
#ifndef RESOURCES_H
#define RESOURCES_H

#include "exchange.h"

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
