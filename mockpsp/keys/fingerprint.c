#include "fingerprint.h"

#include "buf.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

static int by_name(const void *left, const void *right)
{
    const struct fingerprint_field *a = *(const struct fingerprint_field *const *)left;
    const struct fingerprint_field *b = *(const struct fingerprint_field *const *)right;
    int order = strcmp(a->name, b->name);
    if (order != 0)
        return order;
    return a < b ? -1 : a > b; /* both point into one array: the order on the wire */
}

/* With the NUL: "ab" + "c" and "a" + "bc" must not look alike. */
static void feed(struct buf *form, const char *text)
{
    buf_add(form, text, strlen(text) + 1);
}

struct crypto_digest fingerprint_make(const char *method, const char *path,
                                      const struct fingerprint_field *fields, size_t count)
{
    struct buf form = {0};
    const struct fingerprint_field **sorted = mem_alloc(count * sizeof *sorted);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &fields[i];
    qsort(sorted, count, sizeof *sorted, by_name);
    feed(&form, method);
    feed(&form, path);
    for (size_t i = 0; i < count; i++) {
        feed(&form, sorted[i]->name);
        feed(&form, sorted[i]->value);
    }
    struct crypto_digest digest = crypto_sha256(form.data, form.len);
    buf_release(&form);
    free(sorted);
    return digest;
}
