/* One attempt on the wire: an event to one endpoint, perhaps twice at the same moment, perhaps
 * after a forged one. */
#ifndef SHIPMENT_H
#define SHIPMENT_H

#include "post.h"

#include <stdbool.h>

struct letter {
    char *body;      /* owned; NULL: there is none */
    char *signature; /* owned */
};

struct shipment_order {
    const char *url;
    struct letter letter;
    struct letter forged; /* has to be answered, in whatever way, before the letter leaves */
    bool twice;           /* the letter, on two connections */
};

struct shipment;

/* Starts it; takes the letters over. OVER is told once, as that of a post, and frees the shipment;
 * of two answers it is told one that acknowledges, if there is one. */
struct shipment *shipment_start(struct poster *poster, const struct shipment_order *order,
                                post_over *over, void *context);

/* Ends it if it is under way. NULL is fine. */
void shipment_free(struct shipment *shipment);

/* Whether an answer with STATUS acknowledges an event. */
bool shipment_is_acknowledged(int status);

#endif
