/* Which parameters are hashes or lists, and what may be in them. */
#ifndef NESTING_H
#define NESTING_H

#include <stdbool.h>

enum nesting {
    NESTING_FITS,
    NESTING_TEXT,   /* it is text, and was given a hash or a list */
    NESTING_UNKNOWN /* there is no such member in it */
};

/* Whether NAME, such as "address[city]", may go on so behind ROOT, "address", under which it is. Of
 * members only the first is looked at; where somebody else looks at them (metadata), none. */
enum nesting nesting_of(const char *name, const char *root);

/* Whether TEXT is a type of payment methods, "card", as payment_method_types has them. */
bool nesting_is_method_type(const char *text);

#endif
