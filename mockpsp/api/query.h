/* The language that objects are searched with:
 *
 *   status:'succeeded' AND metadata['order_id']:'6735' AND amount>1000 AND -currency:'eur'
 *
 * `:` is the same, case aside; `~` contains (texts that allow it, three characters or more);
 * `>` `<` `>=` `<=` compare numbers; `-` in front turns a clause round; null is a metadata key that
 * is not there. Clauses are joined by AND, or by OR, never by both. Source: Stripe, "Search". */
#ifndef QUERY_H
#define QUERY_H

#include "err.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define QUERY_MOST_CLAUSES 10

enum query_type {
    QUERY_WORD, /* the same or not */
    QUERY_TEXT, /* may be asked for a part of it */
    QUERY_NUMBER,
    QUERY_METADATA
};

/* What a kind of object can be searched by; a list ends with a NULL name. */
struct query_field {
    const char *name; /* the member of the object */
    enum query_type type;
};

enum query_comparison { QUERY_IS, QUERY_HAS, QUERY_GT, QUERY_LT, QUERY_GTE, QUERY_LTE };

struct query_clause {
    const struct query_field *field;
    char *key; /* of the metadata, or NULL */
    bool negated;
    enum query_comparison comparison;
    char *text;     /* NULL: null */
    int64_t number; /* for numbers */
};

/* A zeroed query holds nothing. */
struct query {
    struct query_clause clauses[QUERY_MOST_CLAUSES];
    size_t count;
    bool any; /* joined by OR */
};

/* ERR_INVALID, with QUERY zeroed and a sentence in WHY, for what is no query on FIELDS. QUERY
 * borrows FIELDS. */
enum err query_parse(const char *text, const struct query_field *fields, struct query *query,
                     struct err_text *why) MUST_CHECK;

/* Whether OBJECT, as clients see it, is one that was searched for. */
bool query_matches(const struct query *query, const struct json *object);

void query_release(struct query *query);

#endif
