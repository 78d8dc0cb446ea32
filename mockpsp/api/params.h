/* Parameters: a form body or query in application/x-www-form-urlencoded, brackets literal or
 * percent-encoded: `metadata[order_id]=6735`, `line_items[0][price]=1`, `expand[]=customer`. */
#ifndef PARAMS_H
#define PARAMS_H

#include "err.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>

#define PARAMS_MOST         1000
#define PARAMS_MOST_NESTING 5
#define PARAMS_LONGEST_NAME                                                                        \
    1000 /* bytes; each of a thousand members carries its parents' names                           \
          */

struct param {
    char *name; /* decoded: "metadata[order_id]" */
    char *value;
};

/* In the order of the wire. A zeroed struct params is an empty one. */
struct params {
    struct param *list;
    size_t count;
};

/* Appends what FORM says. ERR_INVALID: a broken percent-encoding, a NUL byte, unbalanced brackets,
 * text that is not UTF-8; ERR_LIMIT: too many, a name too long, or nested too deep. WHY says which;
 * PARAMS keeps what it had read and is to be released all the same. */
enum err params_parse(const char *form, size_t length, struct params *params,
                      struct err_text *why) MUST_CHECK;

/* Appends what a JSON object says, in the same words: {"metadata":{"a":"b"},"types":["card"]}
 * becomes metadata[a]=b, types[0]=card. null and "" both are an empty value. Errors as above. */
enum err params_parse_json(const char *text, size_t length, struct params *params,
                           struct err_text *why) MUST_CHECK;

/* The same of an XML document (see xml.h): its root is the first name. Errors as above. */
enum err params_parse_xml(const char *text, size_t length, struct params *params,
                          struct err_text *why) MUST_CHECK;

/* The value of NAME, the last one if it came twice; NULL when absent. */
const char *params_get(const struct params *params, const char *name);

/* Whether NAME begins with ROOT and ends there, or goes on with a bracket. */
bool params_under(const struct param *param, const char *root);

/* For "metadata[order_id]" under "metadata": "order_id", to be freed. NULL when PARAM is not of
 * that form (no bracket, or two). */
char *params_inner_name(const struct param *param, const char *root);

void params_release(struct params *params);

#endif
