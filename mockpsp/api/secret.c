#include "secret.h"

#include "buf.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool holds_live_key(const char *text)
{
    for (const char *at = text; (at = strcasestr(at, "k_live_")) != NULL; at++)
        if (at > text && strchr("sSrRpP", at[-1]) != NULL)
            return true;
    return false;
}

bool secret_is_live_key(const char *text)
{
    if (text == NULL)
        return false;
    if (strchr(text, '%') == NULL)
        return holds_live_key(text);
    struct buf plain = {0};
    for (; *text != '\0'; text++) {
        char digits[3] = {text[1], text[1] == '\0' ? '\0' : text[2], '\0'};
        if (*text == '%' && isxdigit((unsigned char)digits[0]) &&
            isxdigit((unsigned char)digits[1])) {
            buf_add_char(&plain, (char)strtol(digits, NULL, 16));
            text += 2;
        } else {
            buf_add_char(&plain, *text);
        }
    }
    bool found = holds_live_key(buf_string(&plain));
    buf_release(&plain);
    return found;
}

bool secret_in_request(const struct request *request, const struct params *params)
{
    if (secret_is_live_key(request->path) || secret_is_live_key(request->query) ||
        secret_is_live_key(buf_string(&request->body)))
        return true;
    for (size_t i = 0; i < request->header_count; i++)
        if (secret_is_live_key(request->headers[i].value))
            return true;
    for (size_t i = 0; i < params->count; i++)
        if (secret_is_live_key(params->list[i].name) || secret_is_live_key(params->list[i].value))
            return true;
    return false;
}

/* 12 to 19 digits, with spaces or dashes between them: long enough to be a card. */
static bool looks_like_card_number(const char *text)
{
    int digits = 0;
    for (; *text != '\0'; text++) {
        if (isdigit((unsigned char)*text))
            digits++;
        else if (*text != ' ' && *text != '-')
            return false;
    }
    return digits >= 12 && digits <= 19;
}

static bool is_secret(const struct param *param)
{
    static const char *const names[] = {"[number]", "[cvc]", "[cvv]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(param->name, names[i]) != NULL)
            return true;
    return looks_like_card_number(param->value) || looks_like_card_number(param->name);
}

struct json *secret_blanked_params(const struct params *params)
{
    struct json *json = json_object();
    for (size_t i = 0; i < params->count; i++)
        if (is_secret(&params->list[i]))
            json_set_string(json, "[withheld]", "[withheld]");
        else
            json_set_string(json, params->list[i].name, params->list[i].value);
    return json;
}
