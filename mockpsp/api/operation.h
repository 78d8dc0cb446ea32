/* The entries of the route table. */
#ifndef OPERATION_H
#define OPERATION_H

#include "err.h"

struct exchange;

/* Whether money moves, or an issuer is asked, if it succeeds. */
enum pays {
    PAYS_NEVER,
    PAYS_ALWAYS,
    PAYS_UNLESS_HELD,  /* capture=false only sets the money aside */
    PAYS_IF_CONFIRMED, /* confirm=true, and not capture_method=manual */
    ASKS_ALWAYS,       /* no money moves, but an issuer is asked */
    ASKS_IF_CONFIRMED  /* the same, with confirm=true */
};

/* What a method on a path does. */
struct operation {
    const char *method;
    const char *path; /* "/v1/charges/{id}" */
    /* POST: reads the parameters into x->plan, without touching the ledger. A reply that it sets is
     * a refusal before execution: nothing is remembered under the key. NULL: nothing to check. */
    void (*check)(struct exchange *x);
    /* Does it and sets the reply. A POST runs inside the transaction that commits its effect with
     * its key; any reply, a refusal included, is then remembered. An error is a failure of the
     * database: all is rolled back. */
    enum err (*run)(struct exchange *x);
    enum pays pays;
};

#endif
