/* What must not be kept: keys of live mode wherever they hide, and what could be a card number. */
#include "mem.h"
#include "quoted.h"
#include "request.h"
#include "secret.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

/* In two pieces, so that nobody who searches for such keys finds one here. */
#define LIVE                                                                                       \
    "sk_"                                                                                          \
    "live_51NoSuchKey"

Test(secret, a_live_key_is_seen)
{
    static const char *const live[] = {
        LIVE,
        "rk_"
        "live_x",
        "pk_"
        "live_x",
        "SK_"
        "LIVE_x",
        "before " LIVE " after",
        "sk%5Flive%5f51NoSuchKey",
        "%73%6B%5F%6C%69%76%65%5F",
        "%" LIVE,
        "%00" LIVE,
        "%zz" LIVE,
    };
    for (size_t i = 0; i < sizeof live / sizeof live[0]; i++)
        cr_expect(secret_is_live_key(live[i]), "%s", live[i]);
}

Test(secret, other_words_are_not)
{
    static const char *const other[] = {"",          "sk_test_live", "k_live_", "sk_live",
                                        "xk_live_1", "sk_lively",    "live_",   "%",
                                        "%6",        "%73%6b"};
    cr_expect_not(secret_is_live_key(NULL));
    for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
        cr_expect_not(secret_is_live_key(other[i]), "%s", other[i]);
}

static struct request request_of(const char *method, const char *path, const char *query)
{
    return (struct request){
        .method = mem_strdup(method), .path = mem_strdup(path), .query = mem_strdup(query)};
}

static void expect_seen(struct request request, bool seen)
{
    struct params none = {0};
    cr_expect_eq(secret_in_request(&request, &none), seen);
    request_release(&request);
}

Test(secret, is_looked_for_in_every_part_of_a_request)
{
    expect_seen(request_of("POST", "/v1/charges", NULL), false);
    expect_seen(request_of(LIVE, "/", NULL), true);
    expect_seen(request_of("GET", "/v1/charges/" LIVE, NULL), true);
    expect_seen(request_of("GET", "/", "a=" LIVE), true);
    struct request request = request_of("GET", "/", NULL);
    request_add_header(&request, "X-Any", LIVE);
    expect_seen(request, true);
    request = request_of("GET", "/", NULL);
    request_add_header(&request, LIVE, "x");
    expect_seen(request, true);
    request = request_of("POST", "/", NULL);
    buf_add(&request.body, "a=\0" LIVE, sizeof "a=\0" LIVE - 1); /* a NUL hides nothing */
    expect_seen(request, true);
}

Test(secret, is_looked_for_in_decoded_parameters)
{
    static const char *const forms[] = {"a=sk%255Flive%255Fx", "sk%5Flive_x=1",
                                        ("a[sk_"
                                         "live_x]=1")};
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        struct request request = request_of("POST", "/", NULL);
        struct params params = {0};
        cr_assert_eq(params_parse(forms[i], strlen(forms[i]), &params, NULL), ERR_OK);
        cr_expect(secret_in_request(&request, &params), "%s", forms[i]);
        params_release(&params);
        request_release(&request);
    }
}

static void expect_blanked(const char *form, const char *wanted)
{
    struct params params = {0};
    cr_assert_eq(params_parse(form, strlen(form), &params, NULL), ERR_OK, "%s", form);
    expect_quoted(secret_blanked_params(&params), wanted);
    params_release(&params);
}

#define WITHHELD "{'[withheld]':'[withheld]'}"

Test(secret, card_numbers_and_codes_are_blanked)
{
    expect_blanked("source[number]=1", WITHHELD);
    expect_blanked("card[cvc]=123&card[cvv]=1", WITHHELD);
    expect_blanked("source=4111111111111111", WITHHELD);
    expect_blanked("source=4111111111111112", WITHHELD); /* one digit off is still too close */
    expect_blanked("a=4111 1111 1111 1111", WITHHELD);
    expect_blanked("a=4111-1111-1111-1111", WITHHELD);
    expect_blanked("a=371449635398431", WITHHELD);
    expect_blanked("a=paid with 4111111111111111.", WITHHELD);
    expect_blanked("a=order 12 4111 1111 1111 1111 exp 1230", WITHHELD);
    expect_blanked("a=6011000990139424x", WITHHELD);
    expect_blanked("a=00000000-0000-0000-4111-111111111111", WITHHELD); /* a UUID has letters */
    expect_blanked("a=f31aeb00-4982-4407-8941-965096ee86ef 4111111111111111", WITHHELD);
    expect_blanked("a=f4111111111111111", WITHHELD);
    expect_blanked("4111111111111111=a", WITHHELD);
    expect_blanked("a[4111111111111111]=a", WITHHELD);
}

Test(secret, other_parameters_stay)
{
    expect_blanked("a=b&metadata[order_id]=6735", "{'a':'b','metadata[order_id]':'6735'}");
    expect_blanked("a=20241130", "{'a':'20241130'}");
    expect_blanked("a=order 4111111111111112 is late", "{'a':'order 4111111111111112 is late'}");
    expect_blanked("a=1 2 3 4 5", "{'a':'1 2 3 4 5'}");
    expect_blanked("a=%2B49 30 901820", "{'a':'+49 30 901820'}");
    expect_blanked("a=f31aeb00-4982-4407-8941-965096ee86ef",
                   "{'a':'f31aeb00-4982-4407-8941-965096ee86ef'}");
    expect_blanked("a=try_3b2cb4b2959843268827ee0ad6a7db16-2",
                   "{'a':'try_3b2cb4b2959843268827ee0ad6a7db16-2'}");
    expect_blanked("", "{}");
}
