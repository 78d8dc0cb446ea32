/* Everything that is kept comes out again as JSON, which is UTF-8 or broken. */
#ifndef UTF8_H
#define UTF8_H

#include <stdbool.h>

/* Whether TEXT is UTF-8 and nothing else: no surrogate, nothing overlong or past U+10FFFF. */
bool utf8_valid(const char *text);

#endif
