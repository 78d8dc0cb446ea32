#include "rate.h"

#include "mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A level is tokens times the milliseconds that `rate` of them take, so that filling is whole:
 * `rate` per millisecond. */
struct bucket {
    char *account;
    int64_t level;
    int64_t at_ms;
    struct bucket *next;
};

static int64_t full(const struct limits *limits)
{
    return limits->rate * limits->rate_ms;
}

static void fill(struct bucket *bucket, const struct limits *limits, int64_t now_ms)
{
    int64_t passed = now_ms - bucket->at_ms;
    bucket->at_ms = now_ms;
    if (passed >= limits->rate_ms || bucket->level > full(limits))
        bucket->level = full(limits);
    else if (passed > 0) /* a machine's clock may be set back */
        bucket->level += passed * limits->rate;
    if (bucket->level > full(limits))
        bucket->level = full(limits);
}

/* A full bucket is as good as none: so only the accounts of the last moments take memory. */
static struct bucket *find(struct core *core, const char *account, int64_t now_ms)
{
    struct bucket *found = NULL, **at = &core->buckets;
    while (*at != NULL) {
        struct bucket *bucket = *at;
        fill(bucket, &core->limits, now_ms);
        if (strcmp(bucket->account, account) == 0) {
            found = bucket;
        } else if (bucket->level == full(&core->limits)) {
            *at = bucket->next;
            free(bucket->account);
            free(bucket);
            continue;
        }
        at = &bucket->next;
    }
    return found;
}

static struct bucket *bucket_of(struct core *core, const char *account)
{
    int64_t now_ms = clock_now_ms(core->clock);
    struct bucket *bucket = find(core, account, now_ms);
    if (bucket != NULL)
        return bucket;
    bucket = mem_alloc(sizeof *bucket);
    *bucket = (struct bucket){.account = mem_strdup(account),
                              .level = full(&core->limits),
                              .at_ms = now_ms,
                              .next = core->buckets};
    core->buckets = bucket;
    return bucket;
}

/* Retry-After counts whole seconds. Source: Stripe, "Rate limits". */
static void refuse(struct exchange *x, int64_t missing)
{
    int64_t ms = (missing + x->core->limits.rate - 1) / x->core->limits.rate;
    char *seconds = mem_printf("%" PRId64, (ms + 999) / 1000);
    reply_error(&x->reply, (struct api_error){.status = 429,
                                              .code = "rate_limit",
                                              .message = "Too many requests hit the provider too "
                                                         "quickly. Wait before trying again."});
    reply_header(&x->reply, "Retry-After", seconds);
    reply_header(&x->reply, "Stripe-Rate-Limited-Reason", "global-rate");
    free(seconds);
}

void rate_check(struct exchange *x)
{
    const struct limits *limits = &x->core->limits;
    if (limits->rate == 0)
        return;
    struct bucket *bucket = bucket_of(x->core, x->attempt.account);
    if (bucket->level >= limits->rate_ms)
        bucket->level -= limits->rate_ms;
    else
        refuse(x, limits->rate_ms - bucket->level);
}

void rate_forget(struct core *core)
{
    while (core->buckets != NULL) {
        struct bucket *bucket = core->buckets;
        core->buckets = bucket->next;
        free(bucket->account);
        free(bucket);
    }
}
