#include "control_call.h"

#include "mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

void control_refuse(struct control_call *call, int status, const char *message)
{
    reply_error(call->reply, (struct api_error){.status = status, .message = message});
}

void control_broken(struct control_call *call)
{
    char *message =
        mem_printf("The database failed: %s.", store_message(call->control->core->store));
    reply_error(call->reply,
                (struct api_error){.status = 500, .type = "api_error", .message = message});
    free(message);
}

const char *control_input(const struct control_call *call, const char *name)
{
    const char *text = json_get_string(call->body, name);
    return text == NULL ? params_get(&call->params, name) : text;
}

bool control_number(struct control_call *call, const char *name, int64_t largest, int64_t *number)
{
    const char *text = control_input(call, name);
    char *end;
    if (text == NULL)
        return true;
    errno = 0;
    int64_t value = strtoll(text, &end, 10);
    if (errno != 0 || *end != '\0' || !isdigit((unsigned char)*text) || value > largest) {
        control_refuse(call, 400, "after and limit are whole numbers; limit is at most 10000.");
        return false;
    }
    *number = value;
    return true;
}
