#include "by_hand.h"

#include "event.h"
#include "json.h"
#include "quote.h"

#include <inttypes.h>
#include <string.h>

static void add_params(const struct json *data, struct buf *out)
{
    for (const struct json *one = json_first(json_get(data, "params")); one != NULL;
         one = json_next(one)) {
        struct buf pair = {0};
        const char *text = json_as_string(one);
        buf_addf(&pair, "%s=%s", json_name(one), text == NULL ? "" : text);
        buf_add_string(out, " -d ");
        quote_word(out, buf_string(&pair));
        buf_release(&pair);
    }
}

static void tell_request(const struct json *data, struct buf *out)
{
    const char *method = json_get_string(data, "method");
    const char *path = json_get_string(data, "path");
    const char *key = json_get_string(data, "key");
    if (json_get_int(data, "copy_of", 0) > 0 || method == NULL || path == NULL)
        return;
    buf_addf(out, "curl -sS -u \"$PSP_API_KEY:\"%s", strcmp(method, "GET") == 0 ? " -G" : "");
    if (strcmp(method, "GET") != 0 && strcmp(method, "POST") != 0)
        buf_addf(out, " -X %s", method);
    if (strcmp(method, "POST") == 0 && json_first(json_get(data, "params")) == NULL)
        buf_add_string(out, " -X POST");
    if (key != NULL)
        buf_addf(out, " -H 'Idempotency-Key: %s'", key);
    add_params(data, out);
    buf_addf(out, " \"$PSP_URL%s\"\n", path);
}

static void tell_line(const struct json *json, struct buf *out)
{
    enum event_kind kind;
    const struct json *data = json_get(json, "data");
    const char *name = json_get_string(json, "kind");
    if (name == NULL || !event_parse_kind(name, &kind))
        return;
    switch (kind) {
    case EVENT_INVOKE:
        tell_request(data, out);
        break;
    case EVENT_FAULT:
        buf_addf(out, "#   %s at %s\n", json_get_string(data, "act"), json_get_string(data, "at"));
        break;
    case EVENT_EFFECT:
        buf_addf(out, "#   %s %s, %" PRId64 " %s\n", json_get_string(data, "object"),
                 json_get_string(data, "id"), json_get_int(data, "amount", 0),
                 json_get_string(data, "currency") == NULL ? ""
                                                           : json_get_string(data, "currency"));
        break;
    case EVENT_CRASH:
        buf_add_string(out, "#   the client is killed\n");
        break;
    case EVENT_START:
        if (json_get_int(data, "run", 1) > 1)
            buf_add_string(out, "#   the client runs again\n");
        break;
    default:
        break;
    }
}

void by_hand_tell(const char *canonical, struct buf *out)
{
    while (*canonical != '\0') {
        size_t length = strcspn(canonical, "\n");
        struct json *json;
        if (json_parse(canonical, length, &json, NULL) == ERR_OK)
            tell_line(json, out);
        json_free(json);
        canonical += length + (canonical[length] == '\n');
    }
}
