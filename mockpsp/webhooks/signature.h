/* The Stripe-Signature header: "t=<unix>,v1=<hex HMAC-SHA256(secret, "<t>.<raw body>")>", with one
 * v1 for each secret while they roll. Source: STRIPE_FACTS §4, "Webhooks". */
#ifndef SIGNATURE_H
#define SIGNATURE_H

#include <stddef.h>
#include <stdint.h>

/* The header's value for BODY sent at AT_S; to be freed. */
char *signature_make(int64_t at_s, const char *body, const char *const *secrets, size_t count);

#endif
