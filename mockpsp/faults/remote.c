#include "remote.h"

#include "channel.h"
#include "check.h"
#include "log.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

struct question {
    uint64_t number;
    fault_answer *answer;
    void *context;
};

struct remote {
    struct channel *channel;
    struct remote_handlers handlers;
    struct question *questions;
    size_t question_count;
};

static void say(struct remote *remote, struct json *message)
{
    /* A failure to send shows as end of input on the same socket: one place to handle it. */
    enum err err = channel_send(remote->channel, message);
    (void)err;
}

/* Takes the open question about NUMBER out of the list. */
static bool take_question(struct remote *remote, uint64_t number, struct question *question)
{
    for (size_t i = 0; i < remote->question_count; i++) {
        if (remote->questions[i].number == number) {
            *question = remote->questions[i];
            remote->questions[i] = remote->questions[--remote->question_count];
            return true;
        }
    }
    return false;
}

static void answered(struct remote *remote, const struct json *message)
{
    struct question question;
    struct action action;
    struct err_text why;
    if (!take_question(remote, (uint64_t)json_get_int(message, "number", 0), &question))
        return;
    if (action_from_json(json_get(message, "act"), &action, &why) != ERR_OK)
        log_error("the harness sent an action that is none (%s): passing", why.text);
    question.answer(question.context, &action);
    action_release(&action);
}

static void drain(struct remote *remote)
{
    struct json *message = json_object();
    struct remote_rest rest = remote->handlers.drain(remote->handlers.context);
    json_set_string(message, "type", "drained");
    json_set_int(message, "processing", rest.processing);
    json_set_int(message, "webhooks", rest.webhooks);
    say(remote, message);
}

static void rest(struct remote *remote)
{
    struct json *message = json_object();
    remote->handlers.rest(remote->handlers.context);
    json_set_string(message, "type", "resting");
    say(remote, message);
}

static void message_came(void *context, const struct json *message)
{
    struct remote *remote = context;
    const char *type = message == NULL ? NULL : json_get_string(message, "type");
    if (message == NULL)
        remote->handlers.gone(remote->handlers.context);
    else if (type != NULL && strcmp(type, "act") == 0)
        answered(remote, message);
    else if (type != NULL && strcmp(type, "advance") == 0)
        remote->handlers.advance(remote->handlers.context, json_get_int(message, "ms", 0));
    else if (type != NULL && strcmp(type, "drain") == 0)
        drain(remote);
    else if (type != NULL && strcmp(type, "heal") == 0)
        remote->handlers.heal(remote->handlers.context);
    else if (type != NULL && strcmp(type, "rest") == 0)
        rest(remote);
    else if (type != NULL && strcmp(type, "serve") == 0)
        remote->handlers.serve(remote->handlers.context, message);
    else
        log_error("the harness sent a message of unknown type");
}

struct remote *remote_open(struct loop *loop, int fd, struct remote_handlers handlers)
{
    struct remote *remote = mem_alloc(sizeof *remote);
    remote->handlers = handlers;
    remote->channel = channel_open(loop, fd, message_came, remote);
    return remote;
}

void remote_close(struct remote *remote)
{
    if (remote == NULL)
        return;
    channel_close(remote->channel);
    free(remote->questions);
    free(remote);
}

static void remote_ask(void *self, const struct attempt *attempt, enum failpoint at,
                       fault_answer *answer, void *context)
{
    struct remote *remote = self;
    struct json *message = json_object();
    json_set_string(message, "type", "ask");
    json_set_string(message, "at", failpoint_name(at));
    if (failpoint_is_first(at))
        json_set(message, "attempt", attempt_to_json(attempt));
    if (attempt->peer_port != 0)
        json_set_int(message, "peer_port", attempt->peer_port);
    json_set_int(message, "number", (int64_t)attempt->number);
    remote->questions =
        mem_resize(remote->questions, remote->question_count + 1, sizeof *remote->questions);
    remote->questions[remote->question_count++] =
        (struct question){attempt->number, answer, context};
    say(remote, message);
}

static void remote_end(void *self, const struct attempt *attempt)
{
    struct remote *remote = self;
    struct question dropped;
    take_question(remote, attempt->number, &dropped);
    struct json *message = json_object();
    json_set_string(message, "type", "end");
    json_set_int(message, "number", (int64_t)attempt->number);
    say(remote, message);
}

struct fault_source remote_faults(struct remote *remote)
{
    static const struct fault_source_ops ops = {.ask = remote_ask, .end = remote_end};
    return (struct fault_source){.ops = &ops, .self = remote};
}

void remote_report(struct remote *remote, const struct event *event)
{
    struct json *message = json_object();
    json_set_string(message, "type", "event");
    json_set(message, "event", event_to_json(event));
    say(remote, message);
}

void remote_broken(struct remote *remote, const char *why)
{
    struct json *message = json_object();
    json_set_string(message, "type", "broken");
    json_set_string(message, "why", why);
    say(remote, message);
}
