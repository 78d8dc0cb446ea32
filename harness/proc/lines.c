#include "lines.h"

#include <stdbool.h>
#include <string.h>

/* Length of the valid UTF-8 sequence at BYTES, of which LEFT are there; 0 when it is none. */
static size_t sequence(const unsigned char *bytes, size_t left)
{
    unsigned char first = bytes[0];
    size_t length = first < 0x80   ? 1
                    : first < 0xC2 ? 0
                    : first < 0xE0 ? 2
                    : first < 0xF0 ? 3
                    : first < 0xF5 ? 4
                                   : 0;
    if (length == 0 || length > left)
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((bytes[i] & 0xC0) != 0x80)
            return 0;
    /* Overlong forms, surrogates, and what lies beyond U+10FFFF. */
    if ((first == 0xE0 && bytes[1] < 0xA0) || (first == 0xED && bytes[1] > 0x9F) ||
        (first == 0xF0 && bytes[1] < 0x90) || (first == 0xF4 && bytes[1] > 0x8F))
        return 0;
    return length;
}

/* Output goes into JSON and onto terminals: neither takes escape codes or broken UTF-8 well. */
static void emit_clean(struct lines *lines, const char *bytes, size_t length)
{
    struct buf clean = {0};
    for (size_t i = 0; i < length;) {
        const unsigned char *at = (const unsigned char *)bytes + i;
        size_t take = sequence(at, length - i);
        if (take == 0 || (*at < 0x20 && *at != '\t') || *at == 0x7F) {
            buf_add_char(&clean, '?');
            take = 1;
        } else {
            buf_add(&clean, at, take);
        }
        i += take;
    }
    lines->emit(lines->context, buf_string(&clean));
    buf_release(&clean);
}

void lines_add(struct lines *lines, const char *bytes, size_t length)
{
    buf_add(&lines->rest, bytes, length);
    size_t done = 0;
    const char *data = lines->rest.data;
    while (done < lines->rest.len) {
        size_t left = lines->rest.len - done;
        const char *end = memchr(data + done, '\n', left);
        size_t take = end == NULL ? left : (size_t)(end - (data + done));
        if (end == NULL && take < LINES_LONGEST)
            break;
        bool whole = take <= LINES_LONGEST && end != NULL;
        if (take > LINES_LONGEST)
            take = LINES_LONGEST;
        bool carriage = whole && take > 0 && data[done + take - 1] == '\r';
        emit_clean(lines, data + done, take - carriage);
        done += take + whole;
    }
    buf_consume(&lines->rest, done);
}

void lines_end(struct lines *lines)
{
    if (lines->rest.len > 0)
        emit_clean(lines, lines->rest.data, lines->rest.len);
    buf_clear(&lines->rest);
}

void lines_release(struct lines *lines)
{
    buf_release(&lines->rest);
}
