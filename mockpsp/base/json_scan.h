/* What cJSON takes without a word and would not give back: looked for before it parses. */
#ifndef JSON_SCAN_H
#define JSON_SCAN_H

#include <stddef.h>

/* NULL when there is nothing of the kind in TEXT, else a phrase about the first: a number that
 * would lose digits (more than 15), one that is not finite or starts with a 0, a zero byte
 * written as \u0000 (text would end there). *AT is its place. TEXT need not be JSON. */
const char *json_scan(const char *text, size_t length, size_t *at);

#endif
