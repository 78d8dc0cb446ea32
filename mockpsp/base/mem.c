#include "mem.h"

#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *must(void *pointer)
{
    if (pointer == NULL) {
        fputs("out of memory\n", stderr);
        abort();
    }
    return pointer;
}

void *mem_alloc(size_t size)
{
    return must(calloc(1, size == 0 ? 1 : size));
}

void *mem_resize(void *pointer, size_t count, size_t size)
{
    size_t bytes;
    CHECK(!__builtin_mul_overflow(count, size, &bytes));
    return must(realloc(pointer, bytes == 0 ? 1 : bytes));
}

char *mem_strdup(const char *text)
{
    return text == NULL ? NULL : must(strdup(text));
}

char *mem_strndup(const char *text, size_t length)
{
    return text == NULL ? NULL : must(strndup(text, length));
}

char *mem_printf(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int length = vasprintf(&text, format, args);
    va_end(args);
    return must(length < 0 ? NULL : text);
}

void mem_set_string(char **text, const char *value)
{
    char *copy = mem_strdup(value);
    free(*text);
    *text = copy;
}
