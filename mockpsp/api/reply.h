/* What the provider answers: a status, a JSON body, headers. A face that speaks XML has JSON up to
 * the moment the answer leaves: reply_encode. */
#ifndef REPLY_H
#define REPLY_H

#include "json.h"

#include <stdbool.h>

/* How errors are written. */
enum reply_style {
    STYLE_STRIPE,  /* {"error":{type, code, message, …}} */
    STYLE_PLAIN,   /* {code, message, field} */
    STYLE_OAUTH,   /* {error, error_description}, RFC 6749 */
    STYLE_PROBLEM, /* application/problem+json, RFC 9457 */
    STYLE_XML      /* {"api_error_response":{errors, message}}, and all of it as XML: Braintree */
};

/* A zeroed reply is none yet. */
struct reply {
    enum reply_style style;
    int status; /* 0: not decided */
    char *body;
    struct json *headers; /* object of strings, or NULL */
};

/* An error as clients see it (STRIPE_FACTS §4). NULL members are left out. */
struct api_error {
    int status;
    const char *type; /* NULL: invalid_request_error */
    const char *code;
    const char *param;
    const char *message;
    const char *decline_code;
    const char *charge;
    struct json *intent;       /* the whole payment_intent; taken over */
    struct json *setup_intent; /* the same of a setup_intent */
    const char *conflict;      /* id of the object that an earlier use of the key has made */
};

bool reply_decided(const struct reply *reply);

/* Each replaces what was there. BODY and OBJECT are taken over. */
void reply_set(struct reply *reply, int status, char *body);
void reply_object(struct reply *reply, int status, struct json *object);
void reply_error(struct reply *reply, struct api_error error);

/* An answer that a fault asks for: a body that fits STATUS, the error CODE in it (NULL: one that
 * fits), and for a 429 the headers that go with it. */
void reply_as_fault(struct reply *reply, int status, const char *code);

/* Writes the body as its style has it on the wire. Nothing more may be done to it then, but to ask
 * reply_media_type and reply_describe. */
void reply_encode(struct reply *reply);

/* The media type of what REPLY holds, once it is encoded. */
const char *reply_media_type(const struct reply *reply);

/* What the journal keeps of a body: the id of its object, the error's code and decline code. Put
 * into DATA. */
void reply_describe(const struct reply *reply, struct json *data);

/* The id of what BODY shows: its own, or that of the one object in it. NULL when it has none. */
const char *reply_id(const struct json *body);

void reply_header(struct reply *reply, const char *name, const char *value);
void reply_release(struct reply *reply);

#endif
