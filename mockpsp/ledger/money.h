/* Amounts are whole minor units of one currency (cents for usd, yen for jpy) in an int64. No float
 * ever touches them, and arithmetic that would overflow is an error. */
#ifndef MONEY_H
#define MONEY_H

#include <stdbool.h>
#include <stdint.h>

#define MONEY_LARGEST INT64_C(99999999) /* eight digits, the provider's own limit per charge */

/* Whether CODE is a currency that can be charged: three lower-case letters, ISO 4217. */
bool money_currency_known(const char *code);

/* How many decimal places amounts of the currency CODE have: 2 for usd, 0 for jpy, 3 for kwd. */
int money_decimals(const char *code);

/* "20.00" with 2 DECIMALS is 2000, exactly; so are "20" and "20.0". False when TEXT is no such
 * number from 0 to MONEY_LARGEST minor units, or has more places. */
bool money_parse(const char *text, int decimals, int64_t *amount);

/* The way back, all places given; AMOUNT is not below 0. To be freed. */
char *money_print(int64_t amount, int decimals);

/* False, with *SUM untouched, on overflow. */
bool money_add(int64_t a, int64_t b, int64_t *sum);

#endif
