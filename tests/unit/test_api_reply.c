/* The error envelope, bodies for faults, and the route table. */
#include "exchange.h"
#include "mem.h"
#include "quoted.h"
#include "reply.h"
#include "route.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

static void expect_body(const struct reply *reply, const char *wanted)
{
    struct json *json;
    cr_assert_eq(json_parse(reply->body, strlen(reply->body), &json, NULL), ERR_OK);
    expect_quoted(json, wanted);
}

Test(reply, none_yet)
{
    struct reply reply = {0};
    cr_expect_not(reply_decided(&reply));
    reply_release(&reply);
}

Test(reply, an_error_leaves_out_what_it_does_not_have)
{
    struct reply reply = {0};
    reply_error(&reply, (struct api_error){.status = 400, .message = "No."});
    cr_expect(reply_decided(&reply));
    cr_expect_eq(reply.status, 400);
    expect_body(&reply, "{'error':{'message':'No.','type':'invalid_request_error'}}");
    reply_release(&reply);
}

Test(reply, a_decline_carries_everything)
{
    struct reply reply = {0};
    reply_error(&reply, (struct api_error){.status = 402,
                                           .type = "card_error",
                                           .code = "card_declined",
                                           .decline_code = "lost_card",
                                           .message = "No.",
                                           .charge = "ch_1",
                                           .param = "source",
                                           .intent = quoted("{'id':'pi_1'}")});
    expect_body(&reply,
                "{'error':{'charge':'ch_1','code':'card_declined','decline_code':'lost_card',"
                "'message':'No.','param':'source','payment_intent':{'id':'pi_1'},"
                "'type':'card_error'}}");
    struct json *data = json_object();
    reply_describe(&reply, data);
    expect_quoted(data, "{'code':'card_declined','decline_code':'lost_card','id':'pi_1'}");
    reply_release(&reply);
}

Test(reply, of_an_intent_says_that_its_last_try_was_declined)
{
    struct reply reply = {0};
    struct json *data = json_object();
    reply_set(&reply, 200,
              mem_strdup("{\"id\":\"pi_1\",\"last_payment_error\":"
                         "{\"code\":\"card_declined\",\"decline_code\":\"lost_card\"}}"));
    reply_describe(&reply, data);
    expect_quoted(data, "{'id':'pi_1','decline_code':'lost_card'}");
    reply_release(&reply);
}

static void expect_in_style(enum reply_style style, struct api_error error, const char *wanted)
{
    struct reply reply = {.style = style};
    reply_error(&reply, error);
    expect_body(&reply, wanted);
    reply_release(&reply);
}

Test(reply, the_plain_face_has_words_of_its_own)
{
    expect_in_style(STYLE_PLAIN, (struct api_error){.status = 400, .message = "No."},
                    "{'code':'invalid_request','message':'No.'}");
    expect_in_style(STYLE_PLAIN, (struct api_error){.status = 401, .message = "Who?"},
                    "{'code':'unauthorized','message':'Who?'}");
    expect_in_style(STYLE_PLAIN, (struct api_error){.status = 503, .message = "Oh."},
                    "{'code':'internal_error','message':'Oh.'}");
    expect_in_style(STYLE_PLAIN,
                    (struct api_error){.status = 409,
                                       .code = "operation_exists",
                                       .param = "operation_id",
                                       .conflict = "ch_1",
                                       .message = "No."},
                    "{'code':'operation_exists','message':'No.','field':'operation_id',"
                    "'payment_id':'ch_1'}");
    expect_in_style(STYLE_OAUTH, (struct api_error){.status = 401, .message = "Who?"},
                    "{'error':'invalid_client','error_description':'Who?'}");
    expect_in_style(STYLE_OAUTH, (struct api_error){.status = 400, .message = "No."},
                    "{'error':'invalid_request','error_description':'No.'}");
}

Test(reply, what_the_journal_keeps_of_the_plain_face)
{
    struct reply reply = {.style = STYLE_PLAIN};
    struct json *data = json_object();
    reply_error(&reply, (struct api_error){.status = 409,
                                           .code = "operation_exists",
                                           .conflict = "ch_1",
                                           .message = "No."});
    reply_describe(&reply, data);
    expect_quoted(data, "{'id':'ch_1','code':'operation_exists'}");
    reply_release(&reply);
}

Test(reply, the_last_one_counts)
{
    struct reply reply = {0};
    reply_object(&reply, 200, quoted("{'id':'ch_1'}"));
    reply_error(&reply, (struct api_error){.status = 500, .type = "api_error", .message = "Oh."});
    reply_set(&reply, 201, mem_strdup("plain"));
    cr_expect_eq(reply.status, 201);
    cr_expect_str_eq(reply.body, "plain");
    struct json *data = json_object();
    reply_describe(&reply, data); /* no JSON: nothing to say */
    expect_quoted(data, "{}");
    reply_release(&reply);
}

static void expect_body_for(int status, const char *type, const char *code)
{
    struct json *json;
    struct reply reply = {0};
    reply_as_fault(&reply, status, NULL);
    cr_expect_eq(reply.status, status);
    cr_assert_eq(json_parse(reply.body, strlen(reply.body), &json, NULL), ERR_OK, "%d", status);
    const struct json *error = json_get(json, "error");
    if (type == NULL) {
        cr_expect_null(error);
    } else {
        cr_expect_str_eq(json_get_string(error, "type"), type);
        cr_expect_eq(json_get(error, "code") == NULL, code == NULL);
    }
    json_free(json);
    reply_release(&reply);
}

Test(reply, a_fault_s_body_fits_its_status)
{
    expect_body_for(200, NULL, NULL);
    expect_body_for(400, "invalid_request_error", NULL);
    expect_body_for(429, "invalid_request_error", "rate_limit");
    expect_body_for(500, "api_error", NULL);
    expect_body_for(503, "api_error", NULL);
}

/* --- routes ----------------------------------------------------------------------------------- */

static struct exchange asked(const char *method, const char *path)
{
    struct exchange x = {.request = {.method = mem_strdup(method), .path = mem_strdup(path)}};
    route_find(&x);
    return x;
}

static void forget(struct exchange *x)
{
    request_release(&x->request);
    reply_release(&x->reply);
    free(x->object_id);
}

static void expect_route(const char *method, const char *path, const char *template, const char *id)
{
    struct exchange x = asked(method, path);
    cr_assert_not_null(x.operation, "%s %s", method, path);
    cr_expect_str_eq(x.operation->path, template);
    cr_expect_eq(route_writes(&x), strcmp(method, "POST") == 0);
    if (id == NULL)
        cr_expect_null(x.object_id);
    else
        cr_expect_str_eq(x.object_id, id);
    forget(&x);
}

static void expect_status(const char *method, const char *path, int status)
{
    struct exchange x = asked(method, path);
    cr_expect_null(x.operation, "%s %s", method, path);
    cr_expect_eq(x.reply.status, status, "%s %s", method, path);
    cr_expect_not(route_writes(&x));
    forget(&x);
}

Test(route, finds_what_is_there)
{
    expect_route("POST", "/v1/charges", "/v1/charges", NULL);
    expect_route("GET", "/v1/charges", "/v1/charges", NULL);
    expect_route("GET", "/v1/charges/ch_1", "/v1/charges/{id}", "ch_1");
    expect_route("POST", "/v1/payment_intents/pi_1/confirm", "/v1/payment_intents/{id}/confirm",
                 "pi_1");
    expect_route("GET", "/v1/customers/a%20b", "/v1/customers/{id}", "a%20b");
}

Test(route, knows_what_is_not)
{
    static const char *const unknown[] = {"",
                                          "/",
                                          "/v1",
                                          "/v1/charges/",
                                          "/v1/charge",
                                          "/v1/chargess",
                                          "/v1/charges/a/b",
                                          "/v1/payment_intents//confirm",
                                          "/V1/charges",
                                          "//v1/charges",
                                          "/v1/payment_intents/pi_1/confirm/"};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++)
        expect_status("GET", unknown[i], 404);
    expect_status("DELETE", "/v1/charges", 405);
    expect_status("DELETE", "/v1/charges/ch_1", 405);
    expect_status("GET", "/v1/payment_intents/pi_1/confirm", 405);
    expect_status("get", "/v1/charges", 405);
}

/* A template that another one shadows would never be reached. */
Test(route, every_row_of_the_table_finds_itself)
{
    for (const struct operation *row = route_table(); row->method != NULL; row++) {
        struct exchange x = asked(row->method, row->path); /* "{id}" is an id as good as any */
        cr_expect_eq(x.operation, row, "%s %s", row->method, row->path);
        cr_expect_eq(row->check != NULL, strcmp(row->method, "GET") != 0,
                     "what writes checks before it runs, and nothing else: %s", row->path);
        forget(&x);
    }
}

Test(reply, a_429_of_a_fault_is_one_of_two)
{
    struct reply reply = {0};
    reply_as_fault(&reply, 429, NULL);
    cr_expect_not_null(strstr(reply.body, "rate_limit"));
    cr_expect_str_eq(json_get_string(reply.headers, "Stripe-Rate-Limited-Reason"), "global-rate");
    reply_release(&reply);
    reply = (struct reply){0};
    reply_as_fault(&reply, 429, "lock_timeout");
    cr_expect_not_null(strstr(reply.body, "lock_timeout"));
    cr_expect_str_eq(json_get_string(reply.headers, "Stripe-Should-Retry"), "true");
    cr_expect_null(json_get_string(reply.headers, "Stripe-Rate-Limited-Reason"));
    reply_release(&reply);
}
