#include "webhook_url.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <curl/curl.h>
#include <string.h>
#include <strings.h>

static bool is_loopback(const char *host)
{
    struct in_addr v4;
    if (strcasecmp(host, "localhost") == 0 || strcmp(host, "[::1]") == 0)
        return true;
    return inet_pton(AF_INET, host, &v4) == 1 && ntohl(v4.s_addr) >> 24 == 127;
}

static char *part(CURLU *parsed, CURLUPart which, unsigned flags)
{
    char *text = NULL;
    return curl_url_get(parsed, which, &text, flags) == CURLUE_OK ? text : NULL;
}

static enum err check_host(CURLU *parsed, bool any_host, struct err_text *why)
{
    char *host = part(parsed, CURLUPART_HOST, 0);
    enum err err = ERR_OK;
    if (host == NULL)
        err = err_say(why, ERR_INVALID, "The webhook URL names no host.");
    else if (!any_host && !is_loopback(host))
        err = err_say(why, ERR_INVALID,
                      "Webhooks go to this machine only (localhost, 127.0.0.1, [::1]), not to "
                      "%.100s: start mockpsp with --webhook-any-host to allow others.",
                      host);
    curl_free(host);
    return err;
}

/* However it is spelled; should one get by nevertheless, the control plane knows a webhook when it
 * sees one. On any port: which ones are ours is not known yet when --webhook is read, and differs
 * after a restart. */
static enum err check_path(CURLU *parsed, struct err_text *why)
{
    char *host = part(parsed, CURLUPART_HOST, 0);
    char *path = part(parsed, CURLUPART_PATH, CURLU_URLDECODE);
    const char *at = path == NULL ? "" : path + strspn(path, "/");
    bool control = strncmp(at, "_mock", 5) == 0 && (at[5] == '/' || at[5] == '\0');
    enum err err = ERR_OK;
    if (control && host != NULL && is_loopback(host))
        err = err_say(why, ERR_INVALID, "Webhooks do not go to the control plane, /_mock/.");
    curl_free(host);
    curl_free(path);
    return err;
}

static enum err check_scheme(CURLU *parsed, struct err_text *why)
{
    char *scheme = part(parsed, CURLUPART_SCHEME, 0);
    char *user = part(parsed, CURLUPART_USER, 0);
    enum err err = ERR_OK;
    if (scheme == NULL || (strcmp(scheme, "http") != 0 && strcmp(scheme, "https") != 0))
        err = err_say(why, ERR_INVALID, "A webhook URL starts with http:// or https://.");
    else if (user != NULL)
        err = err_say(why, ERR_INVALID, "A webhook URL holds no user name or password.");
    curl_free(scheme);
    curl_free(user);
    return err;
}

enum err webhook_url_check(const char *url, bool any_host, struct err_text *why)
{
    if (strlen(url) > WEBHOOK_URL_LONGEST)
        return err_say(why, ERR_INVALID, "A webhook URL has at most %d characters.",
                       WEBHOOK_URL_LONGEST);
    CURLU *parsed = curl_url();
    enum err err = ERR_OK;
    if (curl_url_set(parsed, CURLUPART_URL, url, CURLU_NON_SUPPORT_SCHEME) != CURLUE_OK)
        err = err_say(why, ERR_INVALID,
                      "This is no URL: give one such as http://127.0.0.1:3000/webhooks.");
    if (err == ERR_OK)
        err = check_scheme(parsed, why);
    if (err == ERR_OK)
        err = check_host(parsed, any_host, why);
    if (err == ERR_OK)
        err = check_path(parsed, why);
    curl_url_cleanup(parsed);
    return err;
}

bool webhook_url_is_loopback(const char *url)
{
    return webhook_url_check(url, false, NULL) == ERR_OK;
}

bool webhook_secret_is_good(const char *secret)
{
    size_t length = strlen(secret);
    if (strncmp(secret, "whsec_", 6) != 0 || length == 6 || length > 255)
        return false;
    for (size_t i = 0; i < length; i++)
        if (!isgraph((unsigned char)secret[i]))
            return false;
    return true;
}
