#include "signature.h"

#include "buf.h"
#include "crypto.h"
#include "mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

char *signature_make(int64_t at_s, const char *body, const char *const *secrets, size_t count)
{
    char *payload = mem_printf("%" PRId64 ".%s", at_s, body);
    struct buf header = {0};
    buf_addf(&header, "t=%" PRId64, at_s);
    for (size_t i = 0; i < count; i++)
        buf_addf(&header, ",v1=%s", crypto_hmac_sha256(secrets[i], payload, strlen(payload)).hex);
    free(payload);
    return buf_take(&header);
}
