/* What the operations of the plain face share: objects as that face writes them. */
#ifndef PLAIN_H
#define PLAIN_H

#include "json.h"
#include "plain_payment.h"

#include <stdbool.h>

/* Whether PATH belongs to the plain face: its paths have no version in front. */
bool plain_path(const char *path);

/* The payment as clients see it, owned by the caller. */
struct json *plain_render_payment(const struct plain_payment *payment);

#endif
