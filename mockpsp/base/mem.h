/* The base allocator. Out of memory aborts the process, here and nowhere else: a test tool that
 * limps on without memory gives verdicts that cannot be trusted. Free with free(). */
#ifndef MEM_H
#define MEM_H

#include <stddef.h>

/* SIZE bytes, zeroed. Never NULL, also for 0. */
void *mem_alloc(size_t size);

/* Grows or shrinks POINTER to COUNT * SIZE bytes; new bytes are not zeroed. Overflow aborts. */
void *mem_resize(void *pointer, size_t count, size_t size);

/* Copies; NULL stays NULL. */
char *mem_strdup(const char *text);
char *mem_strndup(const char *text, size_t length);

/* printf into a new string. */
char *mem_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Frees *TEXT and puts COPY of VALUE (may be NULL) in its place. */
void mem_set_string(char **text, const char *value);

#endif
