/* The calls to the provider that the two example clients in C have in common. */
#ifndef PSP_CALL_H
#define PSP_CALL_H

#include <cjson/cJSON.h>
#include <stdbool.h>

struct psp_reply {
    long status;      /* 0: no whole answer, so nobody knows what happened */
    bool replayed;    /* the provider had this answer stored for the key */
    long retry_after; /* seconds, 0 when not asked for */
    cJSON *body;      /* an object whenever status is not 0 */
};

/* Pays ORDER_AMOUNT of ORDER_CURRENCY. KEY NULL: without an Idempotency-Key. ORDER becomes
 * metadata[order_id], NULL: none. Gives up after one second. Release REPLY. */
void psp_pay(const char *key, const char *order, struct psp_reply *reply);

/* The page of at most 100 payments after the payment AFTER ("": the newest). Release REPLY. */
void psp_list(const char *after, struct psp_reply *reply);

void psp_reply_release(struct psp_reply *reply);

/* A string of OBJECT, or "" when it has none of that name. */
const char *psp_string(const cJSON *object, const char *name);

/* Of the environment; without it the process ends with status 75: unknown, nobody was asked. */
const char *psp_env(const char *name);

#endif
