/* Objects by their id, whatever their kind: the prefix tells. */
#ifndef OBJECTS_H
#define OBJECTS_H

#include "exchange.h"

/* The object of the exchange's account as clients see it, owned by the caller; ERR_NOT_FOUND leaves
 * *OBJECT NULL. */
enum err objects_render(struct exchange *x, const char *id, struct json **object) MUST_CHECK;

/* Replies 200 with OBJECT, which is taken over, expanded as the request wants it. */
enum err objects_reply(struct exchange *x, struct json *object) MUST_CHECK;

/* Replies with the object that the path names, or 404. KIND is for the message, PREFIX what its ids
 * start with. */
enum err objects_retrieve(struct exchange *x, const char *kind, const char *prefix) MUST_CHECK;

#endif
