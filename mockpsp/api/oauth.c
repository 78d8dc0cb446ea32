/* /oauth/token */
#include "oauth.h"

#include "access_token.h"
#include "auth.h"
#include "mem.h"
#include "object_id.h"
#include "plain_resources.h"

#include <stdlib.h>
#include <string.h>

bool oauth_path(const char *path)
{
    return strcmp(path, "/oauth/token") == 0 || strcmp(path, "/v1/oauth2/token") == 0;
}

char *oauth_secret(const struct exchange *x)
{
    char *basic = auth_basic(&x->request);
    if (basic == NULL)
        return mem_strdup(params_get(&x->params, "client_secret"));
    const char *colon = strchr(basic, ':');
    char *secret = mem_strdup(colon == NULL ? basic : colon + 1);
    free(basic);
    return secret;
}

/* Parameters that it does not know are to be ignored (RFC 6749, 3.2). */
void oauth_check_token(struct exchange *x)
{
    const char *grant = params_get(&x->params, "grant_type");
    if (grant != NULL && strcmp(grant, "client_credentials") == 0)
        return;
    reply_error(&x->reply,
                (struct api_error){
                    .status = 400,
                    .code = grant == NULL ? "invalid_request" : "unsupported_grant_type",
                    .message = "The grant_type here is client_credentials, the client_secret an "
                               "API key that starts with sk_test_."});
}

enum err oauth_token(struct exchange *x)
{
    int64_t now = clock_now_ms(x->core->clock);
    struct object_id token = object_id_make(&x->ids, ACCESS_TOKEN_PREFIX);
    enum err err = access_token_insert(x->core->store, token.text, x->attempt.account, now,
                                       now + x->core->token_ttl_ms);
    struct json *json = json_object();
    json_set_string(json, "access_token", token.text);
    json_set_string(json, "token_type", "Bearer");
    json_set_int(json, "expires_in", x->core->token_ttl_ms / 1000);
    reply_object(&x->reply, 200, json);
    return err;
}
