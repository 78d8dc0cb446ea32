#include "money.h"

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

bool money_add(int64_t a, int64_t b, int64_t *sum)
{
    int64_t result;
    if (__builtin_add_overflow(a, b, &result))
        return false;
    *sum = result;
    return true;
}
