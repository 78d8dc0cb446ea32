/* A growing byte buffer. A zeroed struct buf is an empty one. The bytes are always followed by a
 * NUL that is not counted, so that text in a buffer is a C string. */
#ifndef BUF_H
#define BUF_H

#include <stdarg.h>
#include <stddef.h>

struct buf {
    char *data; /* NULL while nothing was added */
    size_t len; /* bytes */
    size_t cap;
};

void buf_add(struct buf *buf, const void *bytes, size_t length);
void buf_add_string(struct buf *buf, const char *text);
void buf_add_char(struct buf *buf, char character);
void buf_addf(struct buf *buf, const char *format, ...) __attribute__((format(printf, 2, 3)));
void buf_addv(struct buf *buf, const char *format, va_list args)
    __attribute__((format(printf, 2, 0)));

/* Removes LENGTH bytes from the front (at most all). */
void buf_consume(struct buf *buf, size_t length);

/* The text, "" when empty. Valid until the next change. */
const char *buf_string(const struct buf *buf);

/* Hands the text over to the caller, who frees it; the buffer is empty again. Never NULL. */
char *buf_take(struct buf *buf);

/* Keeps the memory, forgets the bytes. */
void buf_clear(struct buf *buf);

void buf_release(struct buf *buf);

#endif
