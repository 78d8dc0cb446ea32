#include "continuation.h"

#include "buf.h"
#include "event.h"
#include "json.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static bool is_of(const char *line, enum event_kind kind)
{
    const char *name = event_name(kind);
    size_t length = strlen(name);
    return strncmp(line, "{\"kind\":\"", 9) == 0 && strncmp(line + 9, name, length) == 0 &&
           line[9 + length] == '"';
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end == NULL ? NULL : end + 1;
}

/* What stood when the last fault struck, and which request that was. The line behind it. */
static const char *skip_past(const char *canonical, int64_t *request, struct buf *out)
{
    const char *after = canonical;
    const char *line = canonical;
    for (; line != NULL && *line != '\0'; line = next_line(line))
        if (is_of(line, EVENT_FAULT))
            after = next_line(line);
    size_t length = (size_t)(after - canonical);
    for (line = canonical; line != NULL && (size_t)(line - canonical) < length;
         line = next_line(line)) {
        size_t size = (size_t)(next_line(line) - line);
        struct json *json = NULL;
        if (is_of(line, EVENT_EFFECT) || is_of(line, EVENT_CLOCK))
            buf_add(out, line, size);
        if (is_of(line, EVENT_FAULT) && json_parse(line, size, &json, NULL) == ERR_OK)
            *request = json_get_int(json, "request", 0);
        json_free(json);
    }
    return after;
}

static bool is_answer_to(const char *line, int64_t request)
{
    char text[40];
    const char *end = strchr(line, '\n');
    if (!is_of(line, EVENT_OK) && !is_of(line, EVENT_FAIL) && !is_of(line, EVENT_INFO))
        return false;
    snprintf(text, sizeof text, "\"request\":%" PRId64 ",", request);
    const char *found = strstr(line, text);
    return found != NULL && (end == NULL || found < end);
}

bool continuation_skips(const char *line)
{
    return is_of(line, EVENT_UP) || is_of(line, EVENT_DOWN) || is_of(line, EVENT_HEAL) ||
           is_of(line, EVENT_PAUSE) || is_of(line, EVENT_RESUME);
}

struct crypto_digest continuation_of(const char *canonical, const struct trace *trace,
                                     size_t reached)
{
    struct buf text = {0};
    int64_t request = 0;
    const char *line = skip_past(canonical, &request, &text);
    for (; line != NULL && *line != '\0'; line = next_line(line)) {
        const char *end = next_line(line);
        if (!is_answer_to(line, request) && !continuation_skips(line))
            buf_add(&text, line, end == NULL ? strlen(line) : (size_t)(end - line));
    }
    for (size_t i = reached == trace->count ? 0 : reached + 1; i < trace->count; i++) {
        const struct probe *probe = &trace->items[i];
        buf_addf(&text, "%s %s %s %d\n", failpoint_name(probe->at),
                 probe->order == NULL ? "-" : probe->order, probe->on == NULL ? "-" : probe->on,
                 probe->attempt);
    }
    struct crypto_digest digest = crypto_sha256(buf_string(&text), text.len);
    buf_release(&text);
    return digest;
}
