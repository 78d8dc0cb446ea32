/* What makes two requests the same request: method, path and parameters, in a canonical form.
 * Headers are no part of it (libraries change telemetry headers from attempt to attempt), nor is
 * the order of fields. Source: STRIPE_FACTS §1, "parameters". */
#ifndef FINGERPRINT_H
#define FINGERPRINT_H

#include "crypto.h"

#include <stddef.h>

struct fingerprint_field {
    const char *name;
    const char *value;
};

/* FIELDS is not changed; fields of the same name keep their order, as it may carry meaning. */
struct crypto_digest fingerprint_make(const char *method, const char *path,
                                      const struct fingerprint_field *fields, size_t count);

#endif
