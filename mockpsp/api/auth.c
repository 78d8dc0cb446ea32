#include "auth.h"

#include "crypto.h"
#include "mem.h"
#include "secret.h"
#include "utf8.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void refuse(struct exchange *x, const char *message)
{
    reply_error(&x->reply, (struct api_error){.status = 401, .message = message});
    reply_header(&x->reply, "WWW-Authenticate", "Basic realm=\"mockpsp\"");
}

/* The key in a header's value; NULL when there is none. To be freed. */
static char *key_of(const char *authorization)
{
    struct buf plain = {0};
    if (strncasecmp(authorization, "Bearer ", 7) == 0)
        return mem_strdup(authorization + 7 + strspn(authorization + 7, " "));
    if (strncasecmp(authorization, "Basic ", 6) != 0)
        return NULL;
    const char *base64 = authorization + 6;
    if (crypto_base64_decode(base64, strlen(base64), &plain) != ERR_OK) {
        buf_release(&plain);
        return NULL;
    }
    char *user = buf_take(&plain);
    /* One of live mode in the place of the password is not let pass unseen. */
    if (!secret_is_live_key(user))
        user[strcspn(user, ":")] = '\0';
    return user;
}

static bool is_test_key(const char *key)
{
    static const char *const prefixes[] = {"sk_test_", "rk_test_"};
    for (size_t i = 0; i < 2; i++)
        if (strncmp(key, prefixes[i], 8) == 0 && key[8] != '\0' && strlen(key) <= 255)
            return utf8_valid(key);
    return false;
}

/* The key itself, or key and connected account. To be freed. */
static char *account_of(const struct request *request, const char *key)
{
    const char *connected = request_header(request, "Stripe-Account");
    return connected == NULL || *connected == '\0' ? mem_strdup(key)
                                                   : mem_printf("%s/%s", key, connected);
}

char *auth_account(const struct request *request)
{
    const char *authorization = request_header(request, "Authorization");
    char *key = authorization == NULL ? NULL : key_of(authorization);
    char *account = key == NULL ? NULL : account_of(request, key);
    free(key);
    return account;
}

void auth_check(struct exchange *x)
{
    const char *authorization = request_header(&x->request, "Authorization");
    char *key = authorization == NULL ? NULL : key_of(authorization);
    if (key != NULL && strstr(key, "_live_") != NULL) {
        x->withheld = true; /* Basic hides it from whoever looks at the header */
        refuse(x, "This is a test provider: keys of live mode are refused. Revoke the key if it "
                  "is real, and use one that starts with sk_test_.");
    } else if (key == NULL || *key == '\0') {
        refuse(x, "You did not provide an API key. Send one as a Bearer token "
                  "(Authorization: Bearer sk_test_...) or as the user name of Basic auth.");
    } else if (!is_test_key(key)) {
        refuse(x, "Invalid API key provided: it has to start with sk_test_ or rk_test_.");
    } else if (x->core->api_key != NULL && strcmp(key, x->core->api_key) != 0) {
        refuse(x, "Invalid API key provided: this provider accepts one key only, another one.");
    } else {
        free(x->attempt.account);
        x->attempt.account = account_of(&x->request, key);
    }
    free(key);
}
