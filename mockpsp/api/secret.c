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

/* With percent-encoding undone, and without NUL bytes, which would hide what comes after them. */
static void add_plain(struct buf *plain, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char digits[3] = {0};
        char byte = bytes[i];
        if (byte == '%' && i + 2 < length && isxdigit((unsigned char)bytes[i + 1]) &&
            isxdigit((unsigned char)bytes[i + 2])) {
            memcpy(digits, bytes + i + 1, 2);
            byte = (char)strtol(digits, NULL, 16);
            i += 2;
        }
        buf_add_char(plain, (char)(byte == '\0' ? '?' : byte));
    }
}

static bool in_bytes(const char *bytes, size_t length)
{
    struct buf plain = {0};
    add_plain(&plain, bytes, length);
    bool found = holds_live_key(buf_string(&plain));
    buf_release(&plain);
    return found;
}

bool secret_is_live_key(const char *text)
{
    return text != NULL && (holds_live_key(text) || in_bytes(text, strlen(text)));
}

bool secret_in_request(const struct request *request, const struct params *params)
{
    if (secret_is_live_key(request->method) || secret_is_live_key(request->path) ||
        secret_is_live_key(request->query) || in_bytes(request->body.data, request->body.len))
        return true;
    for (size_t i = 0; i < request->header_count; i++)
        if (secret_is_live_key(request->headers[i].name) ||
            secret_is_live_key(request->headers[i].value))
            return true;
    for (size_t i = 0; i < params->count; i++)
        if (secret_is_live_key(params->list[i].name) || secret_is_live_key(params->list[i].value))
            return true;
    return false;
}

bool secret_in_json(const struct json *json)
{
    if (secret_is_live_key(json_as_string(json)))
        return true;
    for (const struct json *child = json_first(json); child != NULL; child = json_next(child))
        if (secret_is_live_key(json_name(child)) || secret_in_json(child))
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

/* The last digit of a card number checks the others (Luhn). */
static bool check_digit_fits(const char *digits, int count)
{
    int sum = 0;
    for (int i = 0; i < count; i++) {
        int digit = digits[count - 1 - i] - '0';
        int twice = digit > 4 ? 2 * digit - 9 : 2 * digit;
        sum += i % 2 == 0 ? digit : twice;
    }
    return sum % 10 == 0;
}

/* Whether a card number starts at TEXT, the first digit of a group: 13 to 19 digits that check,
 * with a space or a dash between groups. */
static bool card_number_starts(const char *text)
{
    char digits[19];
    int count = 0;
    for (; count < 19 && isdigit((unsigned char)*text); text++) {
        digits[count++] = *text;
        if (count >= 13 && !isdigit((unsigned char)text[1]) && check_digit_fits(digits, count))
            return true;
        if ((text[1] == ' ' || text[1] == '-') && isdigit((unsigned char)text[2]))
            text++;
    }
    return false;
}

/* The length of the UUID that TEXT begins with, dashes or none, or 0: one in 400 has a card number
 * among its digits. One that has no letter is none. */
static size_t uuid_length(const char *text)
{
    int digits = 0;
    bool letter = false;
    size_t at = 0;
    for (; digits < 32; at++) {
        bool dash = text[at] == '-' && at > 0 && text[at - 1] != '-';
        if (!dash && !isxdigit((unsigned char)text[at]))
            return 0;
        digits += !dash;
        letter = letter || isalpha((unsigned char)text[at]);
    }
    return letter && !isalnum((unsigned char)text[at]) ? at : 0;
}

static bool holds_card_number(const char *text)
{
    char before = '\0';
    while (*text != '\0') {
        size_t uuid = isalnum((unsigned char)before) ? 0 : uuid_length(text);
        bool starts = isdigit((unsigned char)*text) && !isdigit((unsigned char)before);
        if (uuid == 0 && starts && card_number_starts(text))
            return true;
        text += uuid == 0 ? 1 : uuid;
        before = text[-1];
    }
    return false;
}

static bool is_secret(const struct param *param)
{
    static const char *const names[] = {"[number]", "[cvc]", "[cvv]"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (strstr(param->name, names[i]) != NULL)
            return true;
    return looks_like_card_number(param->value) || holds_card_number(param->value) ||
           holds_card_number(param->name);
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
