#include "auth.h"

#include "access_token.h"
#include "crypto.h"
#include "fields.h"
#include "foreign.h"
#include "mem.h"
#include "oauth.h"
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

char *auth_basic(const struct request *request)
{
    struct buf plain = {0};
    const char *authorization = request_header(request, "Authorization");
    if (authorization == NULL || strncasecmp(authorization, "Basic ", 6) != 0)
        return NULL;
    const char *base64 = authorization + 6;
    if (crypto_base64_decode(base64, strlen(base64), &plain) != ERR_OK) {
        buf_release(&plain);
        return NULL;
    }
    return buf_take(&plain);
}

static bool is_test_key(const char *key)
{
    static const char *const prefixes[] = {"sk_test_", "rk_test_"};
    for (size_t i = 0; i < 2; i++)
        if (strncmp(key, prefixes[i], 8) == 0 && key[8] != '\0' && strlen(key) <= 255)
            return utf8_valid(key);
    return false;
}

/* Of user and password, the one that is a key: foreign faces have it here or there. */
static void cut_key(char *pair, bool foreign)
{
    char *colon = strchr(pair, ':');
    if (colon == NULL)
        return;
    *colon = '\0';
    if (foreign && !is_test_key(pair) && is_test_key(colon + 1))
        memmove(pair, colon + 1, strlen(colon + 1) + 1);
}

/* The key or the token that a request carries; NULL when there is none. To be freed. */
static char *key_of(const struct request *request)
{
    const char *authorization = request_header(request, "Authorization");
    if (authorization != NULL && strncasecmp(authorization, "Bearer ", 7) == 0)
        return mem_strdup(authorization + 7 + strspn(authorization + 7, " "));
    bool foreign = foreign_path(request->path);
    char *user = auth_basic(request);
    if (user == NULL)
        return foreign ? mem_strdup(request_header(request, "X-API-Key")) : NULL;
    /* One of live mode in the place of the password is not let pass unseen. */
    if (!secret_is_live_key(user))
        cut_key(user, foreign);
    return user;
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
    char *key = key_of(request);
    char *account = key == NULL ? NULL : account_of(request, key);
    free(key);
    return account;
}

static void refuse_token(struct exchange *x, const char *code, const char *message)
{
    reply_error(&x->reply, (struct api_error){.status = 401, .code = code, .message = message});
    reply_header(&x->reply, "WWW-Authenticate", "Bearer error=\"invalid_token\"");
}

/* Whose token it was is known of an expired one as well. */
static void check_token(struct exchange *x, const char *token)
{
    char *account;
    int64_t expires_ms = 0;
    enum err err = access_token_get(x->core->store, token, &account, &expires_ms);
    if (err == ERR_NOT_FOUND)
        refuse_token(x, "invalid_token", "No such access token: get one at /oauth/token.");
    else if (err != ERR_OK)
        fields_broken(x);
    else if (expires_ms <= clock_now_ms(x->core->clock))
        refuse_token(x, "token_expired",
                     "The access token has expired: get another one at "
                     "/oauth/token.");
    if (account != NULL) {
        free(x->attempt.account);
        x->attempt.account = account_of(&x->request, account);
    }
    free(account);
}

static void check_key(struct exchange *x, const char *key)
{
    if (key != NULL && strstr(key, "_live_") != NULL) {
        x->attempt.live_key = true;
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
}

void auth_check(struct exchange *x)
{
    bool asks_for_token = oauth_path(x->request.path);
    char *key = asks_for_token ? oauth_secret(x) : key_of(&x->request);
    if (key != NULL && access_token_is(key) && !asks_for_token)
        check_token(x, key);
    else
        check_key(x, key);
    free(key);
}
