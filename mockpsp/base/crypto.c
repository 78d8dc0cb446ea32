#include "crypto.h"

#include "mem.h"

#include <nettle/base64.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct crypto_digest crypto_sha256(const void *bytes, size_t length)
{
    struct sha256_ctx sha;
    uint8_t raw[SHA256_DIGEST_SIZE];
    struct crypto_digest digest;
    sha256_init(&sha);
    sha256_update(&sha, length, bytes);
    sha256_digest(&sha, sizeof raw, raw);
    for (size_t i = 0; i < sizeof raw; i++)
        snprintf(digest.hex + 2 * i, 3, "%02x", raw[i]);
    return digest;
}

enum err crypto_base64_decode(const char *text, size_t length, struct buf *out)
{
    struct base64_decode_ctx base64;
    size_t decoded = 0;
    uint8_t *raw = mem_alloc(BASE64_DECODE_LENGTH(length));
    base64_decode_init(&base64);
    int good = base64_decode_update(&base64, &decoded, raw, length, text);
    if (good)
        buf_add(out, raw, decoded);
    free(raw);
    return good && base64_decode_final(&base64) ? ERR_OK : ERR_INVALID;
}
