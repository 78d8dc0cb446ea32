/* Contact details of people, as clients send and see them: nested hashes of text, such as
 * shipping[address][city]. */
#ifndef DETAILS_H
#define DETAILS_H

#include "exchange.h"

#include <stdbool.h>

/* What a kind of details may hold; ends with NULL. */
extern const char *const DETAILS_ADDRESS[];  /* address[line1], … */
extern const char *const DETAILS_SHIPPING[]; /* shipping[name], shipping[address][line1], … */
extern const char *const DETAILS_BILLING[];  /* billing_details[email], … */

/* Merges what the request says under ROOT into *TEXT, a JSON object as text or NULL (none): an
 * empty value unsets its member, an empty ROOT all of it. False after refusing a member not in
 * KNOWN. */
bool details_merge(struct exchange *x, const char *root, const char *const *known, char **text);

/* TEXT as JSON, null for NULL; owned by the caller. */
struct json *details_render(const char *text);

#endif
