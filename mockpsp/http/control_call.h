/* One call of the control plane, and what its handlers share. A handler sets call->reply. */
#ifndef CONTROL_CALL_H
#define CONTROL_CALL_H

#include "control.h"
#include "json.h"
#include "params.h"
#include "reply.h"
#include "request.h"

#include <stdbool.h>
#include <stdint.h>

struct control_call {
    struct control *control;
    const struct request *request;
    const char *account; /* NULL: all of them */
    char *id;            /* the {id} of the path, or NULL */
    struct params params;
    struct json *body; /* NULL when the body is no JSON */
    struct reply *reply;
};

void control_refuse(struct control_call *call, int status, const char *message);

/* The database failed. */
void control_broken(struct control_call *call);

/* A value from the body, JSON or form, or from the query; NULL when there is none. */
const char *control_input(const struct control_call *call, const char *name);

/* The same as a whole number from 0 to LARGEST; absent leaves *NUMBER. False after refusing. */
bool control_number(struct control_call *call, const char *name, int64_t largest, int64_t *number);

/* The handlers, one for each row of CONTROL_LIST. */
#define CONTROL_HANDLER(method, path, handler, does) void handler(struct control_call *call);
CONTROL_LIST(CONTROL_HANDLER)
#undef CONTROL_HANDLER

#endif
