#include "json_scan.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS  15 /* in front of the point: so many come out of cJSON as they went in */
#define LONGEST_TEXT 64 /* of a number that anybody writes */

/* Steps behind the string that begins at TEXT[AT]; *ZERO is where it writes a zero byte. */
static size_t skip_string(const char *text, size_t length, size_t at, size_t *zero)
{
    at++;
    while (at < length && text[at] != '"') {
        if (text[at] == '\\' && at + 1 < length) {
            if (length - at >= 6 && strncmp(text + at, "\\u0000", 6) == 0 && *zero == 0)
                *zero = at;
            at++;
        }
        at++;
    }
    return at + 1;
}

static bool in_number(char c)
{
    return isdigit((unsigned char)c) || c == '.' || c == 'e' || c == 'E' || c == '+' || c == '-';
}

static const char *check_number(const char *number, size_t length)
{
    char copy[LONGEST_TEXT + 1] = {0};
    size_t digits = 0;
    if (length > LONGEST_TEXT)
        return "a number of more than 64 characters";
    memcpy(copy, number, length);
    const char *first = copy + (*copy == '-');
    while (isdigit((unsigned char)first[digits]))
        digits++;
    if (digits > 1 && *first == '0')
        return "a number that starts with 0";
    if (digits > MOST_DIGITS)
        return "a number that would lose digits: send it as text";
    return isfinite(strtod(copy, NULL)) ? NULL : "a number that is too large";
}

const char *json_scan(const char *text, size_t length, size_t *at)
{
    size_t zero = 0;
    *at = 0;
    while (*at < length) {
        size_t start = *at;
        if (text[start] == '"') {
            *at = skip_string(text, length, start, &zero);
            if (zero != 0) {
                *at = zero;
                return "a zero byte in a text";
            }
        } else if (isdigit((unsigned char)text[start]) || text[start] == '-') {
            while (*at < length && in_number(text[*at]))
                (*at)++;
            const char *wrong = check_number(text + start, *at - start);
            if (wrong != NULL) {
                *at = start;
                return wrong;
            }
        } else {
            (*at)++;
        }
    }
    return NULL;
}
