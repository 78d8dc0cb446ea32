/* What must never be written anywhere: live API keys, and card numbers that are no test cards. */
#ifndef SECRET_H
#define SECRET_H

#include "json.h"
#include "params.h"
#include "request.h"

#include <stdbool.h>

/* Whether TEXT holds a key of live mode ("sk_live_…"), percent-encoded or not. */
bool secret_is_live_key(const char *text);

/* Whether any part of REQUEST or PARAMS does: path, query, headers, body. */
bool secret_in_request(const struct request *request, const struct params *params);

/* Whether a name or a text in JSON, which may have been spelled with escapes, does. */
bool secret_in_json(const struct json *json);

/* The parameters as an object of strings for the journal, with everything that could be a card
 * number or a security code blanked. Owned by the caller. */
struct json *secret_blanked_params(const struct params *params);

#endif
