/* The foreign faces: how a payment is asked for and answered at providers that are neither
 * Stripe-like nor plain. Data: a row in foreign_faces.c is a provider. */
#ifndef FOREIGN_FACES_H
#define FOREIGN_FACES_H

#include "params.h"
#include "reply.h"

#include <stdbool.h>

/* Parameters are named as params_parse_json flattens them: "amount[value]". */
struct face {
    const char *name;
    const char *path;     /* POST makes one, GET of it with an id behind shows it; as in the route
                             table, without {id} */
    const char *sign;     /* a parameter that tells it from others on PATH; NULL: nobody else */
    const char *prefix;   /* of its ids */
    const char *amount;   /* the parameter */
    bool decimal;         /* "20.00"; otherwise minor units */
    const char *currency; /* the parameter; NULL: it is always HOME_CURRENCY */
    const char *home_currency; /* lower case */
    const char *references[4]; /* the parameters that may name the order, the best one first */
    const char *token;         /* the parameter that names what pays, or NULL */
    const char *step;          /* the parameter that asks for two steps, or NULL */
    const char *two_steps;     /* by this value */
    bool one_step_said;        /* or by not being there */
    bool order_only;           /* what is made is not paid yet */
    const char *only;          /* the parameter that says what is to be done, or NULL */
    const char *only_value;    /* which has to be this */
    enum reply_style style;    /* of its errors */
    int status;                /* of what was made */
    int declined;              /* when the issuer says no; 0: the same */
    const char *declined_body; /* NULL: the same */
    const char *paid;          /* words for what became of it */
    const char *pending;
    const char *failed;
    /* The answer: JSON in which $words stand for values, see foreign.c. A member without a value is
     * left out, so one that may have none is not the first of its object. */
    const char *body;
};

/* The row for a request to make something; NULL when there is none. */
const struct face *face_find(const char *path, const struct params *params);

const struct face *face_named(const char *name);

/* Whether PATH is that of FACE, or of an object there. */
bool face_has(const struct face *face, const char *path);

/* The rows, by number; NULL past the end. */
const struct face *face_number(int number);

#endif
