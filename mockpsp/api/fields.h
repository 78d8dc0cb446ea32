/* Reading parameters one by one. Each function returns false after it has set the reply that
 * refuses the request (STRIPE_FACTS §4, the table of cases); what it read is left alone then. */
#ifndef FIELDS_H
#define FIELDS_H

#include "card.h"
#include "exchange.h"

#include <stdbool.h>
#include <stdint.h>

/* Refuses any parameter whose first part is not in KNOWN, a list that ends with NULL. */
bool fields_only(struct exchange *x, const char *const *known);

/* Text, at most LONGEST characters. Absent or "" gives NULL, a borrowed value otherwise. */
bool fields_text(struct exchange *x, const char *name, size_t longest, const char **text);

/* The same into *TEXT, an owned copy: absent leaves it, "" unsets it. */
bool fields_set_text(struct exchange *x, const char *name, size_t longest, char **text);

/* true or false; absent leaves *VALUE. */
bool fields_bool(struct exchange *x, const char *name, bool *value);

/* A whole number from LOWEST to HIGHEST; absent leaves *NUMBER. */
bool fields_int(struct exchange *x, const char *name, int64_t lowest, int64_t highest,
                int64_t *number);

/* Required: an amount in minor units, and its currency, in lower case (owned by the caller). */
bool fields_amount(struct exchange *x, int64_t *amount);
bool fields_currency(struct exchange *x, char **currency);

/* One of CHOICES, a list that ends with NULL; absent leaves *CHOICE. */
bool fields_choice(struct exchange *x, const char *name, const char *const *choices,
                   const char **choice);

/* A payment method of the account, or a test card by method, token or number, under NAME; absent
 * leaves *CARD. */
bool fields_card(struct exchange *x, const char *name, const struct card **card);

/* metadata[…] as a JSON object of strings in text form, owned by the caller; "{}" when absent. At
 * most 50 keys of 40 characters, values of 500. */
bool fields_metadata(struct exchange *x, char **metadata);

/* The same of ROOT[…], such as that of "payment_intent_data[metadata]". */
bool fields_metadata_under(struct exchange *x, const char *root, char **metadata);

/* The same laid over *METADATA, an object in text form: what is new is added, "" deletes a key, and
 * metadata="" deletes all. */
bool fields_metadata_merge(struct exchange *x, char **metadata);

/* A customer of the account; absent gives NULL. ERR_… only when the database fails. */
bool fields_customer(struct exchange *x, const char **customer);

/* Whether CUSTOMER (NULL: nobody) has not been deleted: to be asked again in the transaction, since
 * another request may have done so after the check. What a reset has forgotten was not deleted. */
bool fields_customer_stands(struct exchange *x, const char *customer);

/* Replies 404 for an object that is not there. */
void fields_missing(struct exchange *x, const char *kind, const char *param, const char *id);

/* The same of the object of the path, of KIND ("charge"), under the name that the path has for it.
 */
void fields_not_there(struct exchange *x, const char *kind);

/* Replies 500: the database failed. Nothing was done. */
void fields_broken(struct exchange *x);

#endif
