/* Amounts are whole minor units of one currency (cents for usd, yen for jpy) in an int64. No float
 * ever touches them, and arithmetic that would overflow is an error. */
#ifndef MONEY_H
#define MONEY_H

#include <stdbool.h>
#include <stdint.h>

#define MONEY_LARGEST INT64_C(99999999) /* eight digits, the provider's own limit per charge */

/* Whether CODE is a currency that can be charged: three lower-case letters, ISO 4217. */
bool money_currency_known(const char *code);

/* False, with *SUM untouched, on overflow. */
bool money_add(int64_t a, int64_t b, int64_t *sum);

#endif
