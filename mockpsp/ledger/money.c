#include "money.h"

#include "mem.h"

#include <inttypes.h>
#include <string.h>

/* Presentment currencies of the provider's public documentation. */
static const char CURRENCIES[] =
    " usd aed afn all amd ang aoa ars aud awg azn bam bbd bdt bgn bif bmd bnd bob brl bsd bwp byn"
    " bzd cad cdf chf clp cny cop crc cve czk djf dkk dop dzd egp etb eur fjd fkp gbp gel gip gmd"
    " gnf gtq gyd hkd hnl htg huf idr ils inr isk jmd jpy kes kgs khr kmf krw kyd kzt lak lbp lkr"
    " lrd lsl mad mdl mga mkd mmk mnt mop mur mvr mwk mxn myr mzn nad ngn nio nok npr nzd pab pen"
    " pgk php pkr pln pyg qar ron rsd rub rwf sar sbd scr sek sgd shp sle sos srd std szl thb tjs"
    " top try ttd twd tzs uah ugx uyu uzs vnd vuv wst xaf xcd xof xpf yer zar zmw bhd iqd jod kwd"
    " lyd omr tnd ";

bool money_currency_known(const char *code)
{
    char padded[6] = " xxx ";
    if (strlen(code) != 3 || strchr(code, ' ') != NULL)
        return false;
    memcpy(padded + 1, code, 3);
    return strstr(CURRENCIES, padded) != NULL;
}

static bool listed(const char *list, const char *code)
{
    const char *at = strstr(list, code);
    return strlen(code) == 3 && strchr(code, ' ') == NULL && at != NULL;
}

/* Those without places, and those with three; all others have two. Providers differ in a few. */
int money_decimals(const char *code)
{
    if (listed(" bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf ", code))
        return 0;
    return listed(" bhd iqd jod kwd lyd omr tnd ", code) ? 3 : 2;
}

static bool add_digit(int64_t *amount, int digit)
{
    *amount = *amount * 10 + digit;
    return *amount <= MONEY_LARGEST;
}

bool money_parse(const char *text, int decimals, int64_t *amount)
{
    static const char digits[] = "0123456789";
    int64_t sum = 0;
    size_t whole = strspn(text, digits);
    const char *fraction = text + whole;
    bool point = *fraction == '.';
    fraction += point;
    size_t places = strspn(fraction, digits);
    if (whole == 0 || fraction[places] != '\0' || point != (places > 0) ||
        places > (size_t)decimals)
        return false;
    for (size_t i = 0; i < whole; i++)
        if (!add_digit(&sum, text[i] - '0'))
            return false;
    for (size_t i = 0; i < (size_t)decimals; i++)
        if (!add_digit(&sum, i < places ? fraction[i] - '0' : 0))
            return false;
    *amount = sum;
    return true;
}

char *money_print(int64_t amount, int decimals)
{
    int64_t unit = 1;
    for (int i = 0; i < decimals; i++)
        unit *= 10;
    if (decimals == 0)
        return mem_printf("%" PRId64, amount);
    return mem_printf("%" PRId64 ".%0*" PRId64, amount / unit, decimals, amount % unit);
}

bool money_add(int64_t a, int64_t b, int64_t *sum)
{
    int64_t result;
    if (__builtin_add_overflow(a, b, &result))
        return false;
    *sum = result;
    return true;
}
