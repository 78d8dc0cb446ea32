/* The foreign faces at work: one check and one run for all the rows of foreign_faces.c. The money
 * is that of every other face: same ledger, key gate and faults. */
#ifndef FOREIGN_H
#define FOREIGN_H

#include "exchange.h"
#include "json.h"

#include <stdbool.h>

/* Whether PATH belongs to foreign faces alone. */
bool foreign_path(const char *path);

/* How errors are written there, before it is known which face is spoken to. */
enum reply_style foreign_path_style(const char *path);

/* Whether X asks a foreign face to make something. */
bool foreign_speaks(const struct exchange *x);

/* Gives X the style of errors of its face, if it speaks to one. */
void foreign_style(struct exchange *x);

/* Whose order X serves, by the first name that its face gives one, or by that of the object that
 * its path names. NULL: it does not say. To be freed. */
char *foreign_order(const struct exchange *x);

/* Fills in the amount and the currency that X asks its face for, when both are good. */
void foreign_describe(const struct exchange *x, struct attempt *attempt);

/* The object of that id as its face shows it, owned by the caller; ERR_NOT_FOUND. */
enum err foreign_render(struct exchange *x, const char *id, struct json **object) MUST_CHECK;

/* Operations: see struct operation. */
void foreign_check_create(struct exchange *x);
enum err foreign_create(struct exchange *x);
enum err foreign_retrieve(struct exchange *x);

#endif
