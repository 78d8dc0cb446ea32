/* A function of a client file at work: submit(order), claim(order), effects(order). It runs as a
 * coroutine, which waits for http, sh and sqlite while the event loop goes on. */
#ifndef CLIENT_TASK_H
#define CLIENT_TASK_H

#include "client_file.h"
#include "client_scene.h"
#include "err.h"
#include "outcome.h"

#include <stdbool.h>

struct client_task;

#define CLIENT_FUNCTION_LIST(X)                                                                    \
    X(CLIENT_SUBMIT, "submit")                                                                     \
    X(CLIENT_CLAIM, "claim")                                                                       \
    X(CLIENT_EFFECTS, "effects")

#define CLIENT_FUNCTION_ENUM(constant, name) constant,
enum client_function { CLIENT_FUNCTION_LIST(CLIENT_FUNCTION_ENUM) CLIENT_FUNCTION_COUNT };
#undef CLIENT_FUNCTION_ENUM

const char *client_function_name(enum client_function function);

struct client_answer {
    enum err err;        /* ERR_SCRIPT: the function is broken */
    struct err_text why; /* then: "file:line: what" */
    bool accepted;       /* submit: anything but false was returned */
    enum outcome outcome;
    const char *payment;        /* claim: its second value, or NULL */
    const struct json *effects; /* effects: an object, how often by name; NULL: nothing was said */
};

/* Told once, in a turn of its own; ANSWER is borrowed. The callback frees the task. */
typedef void client_task_over(void *context, const struct client_answer *answer);

/* CLIENT has the function (see client_plan.h). SCENE has to live as long as the task. */
struct client_task *client_task_start(struct client_file *client, enum client_function function,
                                      const struct client_scene *scene, client_task_over *told,
                                      void *context);

void client_task_free(struct client_task *task); /* NULL is fine; nothing is told then */

#endif
