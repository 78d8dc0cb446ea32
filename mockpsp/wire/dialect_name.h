/* What the headers and the field of a user's own dialect may be called. */
#ifndef DIALECT_NAME_H
#define DIALECT_NAME_H

/* NULL when a header of that name can carry a key or a word of the gate; else what is wrong with
 * it, as in "it %s": no token of RFC 9110, or one that means something else already. Framing
 * headers would not even get through the HTTP library; credentials would be written down as keys.
 */
const char *dialect_name_header(const char *name);

/* The same of a body field: one that holds what must not be written down cannot be the key. */
const char *dialect_name_field(const char *name);

#endif
