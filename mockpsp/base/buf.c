#include "buf.h"

#include "check.h"
#include "mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for MORE bytes and the NUL. Doubles, so that n additions cost O(n). */
static void reserve(struct buf *buf, size_t more)
{
    size_t need = buf->len + more + 1;
    CHECK(need > more);
    if (need <= buf->cap)
        return;
    size_t cap = buf->cap < 64 ? 64 : buf->cap;
    while (cap < need)
        cap *= 2;
    buf->data = mem_resize(buf->data, cap, 1);
    buf->cap = cap;
}

void buf_add(struct buf *buf, const void *bytes, size_t length)
{
    reserve(buf, length);
    if (length > 0)
        memcpy(buf->data + buf->len, bytes, length);
    buf->len += length;
    buf->data[buf->len] = '\0';
}

void buf_add_string(struct buf *buf, const char *text)
{
    buf_add(buf, text, strlen(text));
}

void buf_add_char(struct buf *buf, char character)
{
    buf_add(buf, &character, 1);
}

void buf_addv(struct buf *buf, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, format, args);
    CHECK(length >= 0);
    reserve(buf, (size_t)length);
    vsnprintf(buf->data + buf->len, (size_t)length + 1, format, again);
    va_end(again);
    buf->len += (size_t)length;
}

void buf_addf(struct buf *buf, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    buf_addv(buf, format, args);
    va_end(args);
}

void buf_consume(struct buf *buf, size_t length)
{
    if (length > buf->len)
        length = buf->len;
    if (length == 0)
        return;
    memmove(buf->data, buf->data + length, buf->len - length);
    buf->len -= length;
    buf->data[buf->len] = '\0';
}

const char *buf_string(const struct buf *buf)
{
    return buf->data == NULL ? "" : buf->data;
}

char *buf_take(struct buf *buf)
{
    reserve(buf, 0);
    char *text = buf->data;
    text[buf->len] = '\0';
    *buf = (struct buf){0};
    return text;
}

void buf_clear(struct buf *buf)
{
    buf->len = 0;
    if (buf->data != NULL)
        buf->data[0] = '\0';
}

void buf_release(struct buf *buf)
{
    free(buf->data);
    *buf = (struct buf){0};
}
