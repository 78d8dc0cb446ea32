#include "crypto.h"

#include "mem.h"

#include <nettle/base64.h>
#include <nettle/hmac.h>
#include <nettle/sha2.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct crypto_digest in_hex(const uint8_t raw[SHA256_DIGEST_SIZE])
{
    struct crypto_digest digest;
    for (size_t i = 0; i < SHA256_DIGEST_SIZE; i++)
        snprintf(digest.hex + 2 * i, 3, "%02x", raw[i]);
    return digest;
}

struct crypto_digest crypto_sha256(const void *bytes, size_t length)
{
    struct sha256_ctx sha;
    uint8_t raw[SHA256_DIGEST_SIZE];
    sha256_init(&sha);
    sha256_update(&sha, length, bytes);
    sha256_digest(&sha, sizeof raw, raw);
    return in_hex(raw);
}

struct crypto_digest crypto_hmac_sha256(const char *key, const void *bytes, size_t length)
{
    struct hmac_sha256_ctx hmac;
    uint8_t raw[SHA256_DIGEST_SIZE];
    hmac_sha256_set_key(&hmac, strlen(key), (const uint8_t *)key);
    hmac_sha256_update(&hmac, length, bytes);
    hmac_sha256_digest(&hmac, sizeof raw, raw);
    return in_hex(raw);
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
