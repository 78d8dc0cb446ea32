/* The few things that a well-kept crypto library does for us. The only file that knows nettle. */
#ifndef CRYPTO_H
#define CRYPTO_H

#include "buf.h"
#include "err.h"

#include <stddef.h>

/* SHA-256 in lower-case hex. */
struct crypto_digest {
    char hex[65];
};

struct crypto_digest crypto_sha256(const void *bytes, size_t length);

/* HMAC-SHA256 of BYTES under the text KEY, in lower-case hex. */
struct crypto_digest crypto_hmac_sha256(const char *key, const void *bytes, size_t length);

/* Appends what TEXT (LENGTH characters of base64, white space allowed) stands for to OUT.
 * ERR_INVALID when it is no base64; OUT may hold a part then. */
enum err crypto_base64_decode(const char *text, size_t length, struct buf *out) MUST_CHECK;

#endif
