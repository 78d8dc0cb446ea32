/* What was made at a foreign face, under the id that clients know it by: a payment, whose money is
 * that of a charge, or an order, which nobody has paid. */
#ifndef FOREIGN_OBJECT_H
#define FOREIGN_OBJECT_H

#include "err.h"
#include "store.h"

#include <stdint.h>

/* Strings are owned; NULL means not set. */
struct foreign_object {
    char *id;
    char *face;      /* whose words it speaks: a row of foreign_faces.c */
    int64_t created; /* Unix time, s */
    int64_t amount;  /* minor units */
    char *currency;
    char *reference; /* the merchant's name for what is paid */
    char *charge;    /* NULL: an order */
};

/* In the caller's transaction. */
enum err foreign_object_insert(struct store *store, const char *account,
                               const struct foreign_object *object) MUST_CHECK;

/* ERR_NOT_FOUND leaves OBJECT zeroed. */
enum err foreign_object_get(struct store *store, const char *account, const char *id,
                            struct foreign_object *object) MUST_CHECK;

void foreign_object_release(struct foreign_object *object);

#endif
