/* From method and path to the operation. */
#ifndef ROUTE_H
#define ROUTE_H

#include "exchange.h"

#include <stdbool.h>
#include <stddef.h>

/* Sets x->operation and x->object_id, or replies 404 (unknown URL) or 405. */
void route_find(struct exchange *x);

/* Whether the request writes: every POST and DELETE. */
bool route_writes(const struct exchange *x);

/* The table itself, for --help and documentation; ends with an entry whose method is NULL. */
const struct operation *route_table(void);

/* Compares PATH with TEMPLATE segment by segment; a word in braces stands for any one. What stands
 * for {id} is at *ID, LENGTH bytes, inside PATH; LENGTH is 0 when the template has none. */
bool route_matches(const char *template, const char *path, const char **id, size_t *length);

#endif
