/* Where webhooks may go. A test tool must not surprise the internet: only this machine, unless
 * somebody has said otherwise. */
#ifndef WEBHOOK_URL_H
#define WEBHOOK_URL_H

#include "err.h"

#include <stdbool.h>

#define WEBHOOK_URL_LONGEST 2000

/* ERR_INVALID, with a sentence in WHY, unless URL is http or https, without a user name, and names
 * this machine (localhost, 127.…, [::1]) or ANY_HOST is set. This machine's /_mock/ is never good:
 * that is a control plane, which trusts whoever is on this machine. */
enum err webhook_url_check(const char *url, bool any_host, struct err_text *why) MUST_CHECK;

/* Whether a good URL names this machine. */
bool webhook_url_is_loopback(const char *url);

/* Whether a secret looks like one: "whsec_…", at most 255 characters, none of them blank. */
bool webhook_secret_is_good(const char *secret);

#endif
