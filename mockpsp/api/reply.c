#include "reply.h"

#include "mem.h"
#include "xml.h"

#include <stdlib.h>
#include <string.h>

bool reply_decided(const struct reply *reply)
{
    return reply->status != 0;
}

void reply_set(struct reply *reply, int status, char *body)
{
    free(reply->body);
    reply->status = status;
    reply->body = body;
}

void reply_object(struct reply *reply, int status, struct json *object)
{
    reply_set(reply, status, json_print_pretty(object));
    json_free(object);
}

static struct json *conflict_json(const struct api_error *error)
{
    struct json *links = json_object();
    struct json *one = json_object();
    struct json *all = json_array();
    json_set_string(links, "conflicting_resource_id", error->conflict);
    json_set_string(one, "reason", error->code);
    json_set(one, "links", links);
    json_push(all, one);
    return all;
}

static struct json *stripe_json(struct api_error *error)
{
    struct json *inner = json_object();
    json_maybe_string(inner, "charge", error->charge);
    json_maybe_string(inner, "code", error->code);
    json_maybe_string(inner, "decline_code", error->decline_code);
    if (error->conflict != NULL)
        json_set(inner, "errors", conflict_json(error));
    json_set_string(inner, "message", error->message);
    json_maybe_string(inner, "param", error->param);
    if (error->intent != NULL)
        json_set(inner, "payment_intent", error->intent);
    if (error->setup_intent != NULL)
        json_set(inner, "setup_intent", error->setup_intent);
    error->intent = error->setup_intent = NULL;
    json_set_string(inner, "type", error->type == NULL ? "invalid_request_error" : error->type);
    struct json *outer = json_object();
    json_set(outer, "error", inner);
    return outer;
}

/* What an error is called that has no code of its own. */
static const char *plain_code(const struct api_error *error)
{
    if (error->code != NULL)
        return error->code;
    if (error->status >= 500)
        return "internal_error";
    switch (error->status) {
    case 401:
        return "unauthorized";
    case 404:
        return "not_found";
    case 405:
        return "method_not_allowed";
    default:
        return "invalid_request";
    }
}

static struct json *plain_json(const struct api_error *error)
{
    struct json *json = json_object();
    json_set_string(json, "code", plain_code(error));
    json_set_string(json, "message", error->message);
    json_maybe_string(json, "field", error->param);
    json_maybe_string(json, "decline_code", error->decline_code);
    json_maybe_string(json, "payment_id", error->conflict);
    return json;
}

static struct json *problem_json(const struct api_error *error)
{
    struct json *json = json_object();
    json_set_string(json, "type", "about:blank");
    json_set_string(json, "title", error->code == NULL ? "Idempotency problem" : error->code);
    json_set_int(json, "status", error->status);
    json_set_string(json, "detail", error->message);
    return json;
}

static struct json *oauth_json(const struct api_error *error)
{
    struct json *json = json_object();
    bool client = error->status == 401 && error->code == NULL;
    json_set_string(json, "error", client ? "invalid_client" : plain_code(error));
    json_set_string(json, "error_description", error->message);
    return json;
}

/* The numbers that Braintree's libraries have names for. Source: "Validation errors", Transaction.
 */
static const char *braintree_code(const struct api_error *error)
{
    static const struct {
        const char *param, *code, *number;
    } numbers[] = {{"transaction[amount]", "parameter_missing", "81502"},
                   {"transaction[amount]", "parameter_invalid", "81503"},
                   {"transaction[type]", "parameter_missing", "91524"},
                   {"transaction[type]", "parameter_invalid", "91523"}};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (error->param != NULL && error->code != NULL &&
            strcmp(numbers[i].param, error->param) == 0 &&
            strcmp(numbers[i].code, error->code) == 0)
            return numbers[i].number;
    return plain_code(error);
}

/* "transaction[options][x]": the last name in it. To be freed. */
static char *last_name(const char *param)
{
    const char *bracket = strrchr(param, '[');
    return bracket == NULL ? mem_strdup(param)
                           : mem_strndup(bracket + 1, strcspn(bracket + 1, "]"));
}

/* {"errors":[…]}, inside the object that it speaks of. */
static struct json *braintree_errors(const struct api_error *error)
{
    struct json *errors = json_object();
    struct json *list = json_array();
    json_set(errors, "errors", list);
    if (error->param == NULL)
        return errors;
    struct json *one = json_object();
    char *attribute = last_name(error->param);
    json_set_string(one, "code", braintree_code(error));
    json_set_string(one, "attribute", attribute);
    json_set_string(one, "message", error->message);
    json_push(list, one);
    free(attribute);
    struct json *outer = json_object();
    json_set(outer, "errors", json_array());
    json_set(outer, "transaction", errors);
    return outer;
}

static struct json *braintree_json(const struct api_error *error)
{
    struct json *inner = json_object();
    json_set(inner, "errors", braintree_errors(error));
    json_set(inner, "params", json_object());
    json_set_string(inner, "message", error->message);
    struct json *outer = json_object();
    json_set(outer, "api_error_response", inner);
    return outer;
}

/* May take over what ERROR owns. */
static struct json *error_json(enum reply_style style, struct api_error *error)
{
    switch (style) {
    case STYLE_STRIPE:
        return stripe_json(error);
    case STYLE_PLAIN:
        return plain_json(error);
    case STYLE_OAUTH:
        return oauth_json(error);
    case STYLE_PROBLEM:
        return problem_json(error);
    case STYLE_XML:
        break;
    }
    return braintree_json(error);
}

/* Takes over what ERROR owns. */
static char *error_body(enum reply_style style, struct api_error *error)
{
    struct json *json = error_json(style, error);
    char *body = json_print_pretty(json);
    json_free(json);
    json_free(error->intent);
    json_free(error->setup_intent);
    return body;
}

void reply_error(struct reply *reply, struct api_error error)
{
    /* What is wrong with a request is 422 there. */
    int status = reply->style == STYLE_XML && error.status == 400 ? 422 : error.status;
    reply_set(reply, status, error_body(reply->style, &error));
}

/* As locks.c and rate.c say it themselves. */
static void refuse_as_fault(struct reply *reply, const char *code)
{
    bool locked = code != NULL && strcmp(code, "lock_timeout") == 0;
    reply_error(reply, (struct api_error){
                           .status = 429,
                           .code = code == NULL ? "rate_limit" : code,
                           .message = locked ? "Another request is working on this object."
                                             : "Too many requests hit the provider too quickly."});
    if (locked)
        reply_header(reply, "Stripe-Should-Retry", "true");
    else if (code == NULL)
        reply_header(reply, "Stripe-Rate-Limited-Reason", "global-rate");
}

void reply_as_fault(struct reply *reply, int status, const char *code)
{
    bool server = status >= 500;
    if (status < 400)
        reply_set(reply, status, mem_strdup(reply->style == STYLE_XML ? "" : "{}"));
    else if (status == 429)
        refuse_as_fault(reply, code);
    else
        reply_error(reply, (struct api_error){
                               .status = status,
                               .type = server ? "api_error" : NULL,
                               .code = code,
                               .message = server ? "The provider had an internal problem; the "
                                                   "outcome is unknown."
                                                 : "The request could not be processed."});
    reply->status = status; /* also where the face would have said it with another one */
}

/* What is no JSON, or more than one member, a fault has put there: it goes out as it is. */
void reply_encode(struct reply *reply)
{
    struct json *json = NULL;
    if (reply->style != STYLE_XML ||
        json_parse(reply->body, strlen(reply->body), &json, NULL) != ERR_OK)
        return;
    char *xml = xml_print(json);
    if (xml != NULL)
        reply_set(reply, reply->status, xml);
    json_free(json);
}

const char *reply_media_type(const struct reply *reply)
{
    if (reply->style == STYLE_XML && (reply->body[0] == '<' || reply->body[0] == '\0'))
        return "application/xml; charset=utf-8";
    bool problem = reply->style == STYLE_PROBLEM && reply->status >= 400;
    return problem ? "application/problem+json" : "application/json";
}

const char *reply_id(const struct json *body)
{
    const char *id = json_get_string(body, "id");
    if (id == NULL)
        id = json_get_string(body, "pspReference"); /* the word of one foreign face */
    if (id == NULL)
        id = json_get_string(json_get(body, "payment"), "id");
    if (id == NULL)
        id = json_get_string(json_get(body, "transaction"), "id");
    return id == NULL ? json_get_string(json_get(body, "payments"), "id") : id;
}

/* What was sent, understood; ERR_INVALID where a fault has put something else. */
static enum err parse_body(const struct reply *reply, struct json **body)
{
    size_t length = strlen(reply->body);
    if (reply->style == STYLE_XML && xml_parse(reply->body, length, body, NULL) == ERR_OK)
        return ERR_OK;
    return json_parse(reply->body, length, body, NULL);
}

void reply_describe(const struct reply *reply, struct json *data)
{
    struct json *body = NULL;
    /* A fault may have put there what is no JSON at all: then there is nothing to say. */
    if (parse_body(reply, &body) != ERR_OK)
        return;
    const struct json *error = json_get(body, "error");
    const char *code = json_get_string(error, "code");
    json_maybe_string(data, "id", reply_id(body));
    json_maybe_string(data, "id", reply_id(json_get(body, "api_error_response")));
    json_maybe_string(data, "code", code == NULL ? json_get_string(error, "type") : code);
    json_maybe_string(data, "decline_code", json_get_string(error, "decline_code"));
    json_maybe_string(data, "decline_code",
                      json_get_string(json_get(body, "last_payment_error"), "decline_code"));
    if (reply->style == STYLE_PLAIN) {
        json_maybe_string(data, "id", json_get_string(body, "payment_id"));
        json_maybe_string(data, "code", json_get_string(body, "code"));
        json_maybe_string(data, "decline_code", json_get_string(body, "decline_code"));
    }
    json_maybe_string(data, "id", json_get_string(json_get(error, "payment_intent"), "id"));
    json_free(body);
}

void reply_header(struct reply *reply, const char *name, const char *value)
{
    if (reply->headers == NULL)
        reply->headers = json_object();
    json_set_string(reply->headers, name, value);
}

void reply_release(struct reply *reply)
{
    free(reply->body);
    json_free(reply->headers);
    *reply = (struct reply){0};
}
