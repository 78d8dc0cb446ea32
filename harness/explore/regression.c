#include "regression.h"

#include "buf.h"
#include "mem.h"
#include "output.h"

#include <stdlib.h>
#include <string.h>

/* Every line of TEXT as a comment. */
static void add_comment(const char *text, struct buf *out)
{
    while (*text != '\0') {
        size_t length = strcspn(text, "\n");
        buf_addf(out, "--%s%.*s\n", length == 0 ? "" : " ", (int)length, text);
        text += length + (text[length] == '\n');
    }
}

static void add_head(const struct bucket *bucket, const char *name,
                     struct regression_command command, struct buf *out)
{
    struct buf text = {0};
    buf_addf(&text, "Breaks %s: %s.\nCause: %s.\n", invariant_name(bucket->invariant),
             invariant_demands(bucket->invariant), cause_words(bucket->cause));
    if (bucket->trial != NULL && bucket->trial->story != NULL)
        buf_addf(&text, "\nThe story:\n%s", bucket->trial->story);
    if (bucket->trial != NULL && bucket->trial->by_hand != NULL)
        buf_addf(&text,
                 "\nThe same by hand, beside `mockpsp --faults %s.lua` (which cannot kill a "
                 "client: leave off there):\n%s",
                 name, bucket->trial->by_hand);
    buf_addf(&text, "\nPlay it: %s%s.lua%s\n", command.before, name, command.after);
    add_comment(buf_string(&text), out);
    buf_release(&text);
}

static char *title_of(const struct bucket *bucket)
{
    struct buf title = {0};
    const struct plan *plan = &bucket->shortest;
    if (plan_depth(plan) == 0)
        buf_add_string(&title, "nothing goes wrong");
    if (plan->delivery != DELIVERY_once)
        buf_add_string(&title, delivery_what(plan->delivery));
    for (size_t i = 0; i < plan->count; i++)
        buf_addf(&title, "%s%s", i > 0 || plan->delivery != DELIVERY_once ? ", then " : "",
                 move_what(plan->choices[i].move));
    return buf_take(&title);
}

enum err regression_write(const struct bucket *bucket, const char *directory,
                          struct regression_command command, struct err_text *why)
{
    struct buf text = {0};
    char *name = bucket_name(bucket);
    char *file = mem_printf("%s/%s.lua", directory, name);
    char *title = title_of(bucket);
    add_head(bucket, name, command, &text);
    plan_scenario(&bucket->shortest, title, bucket->shortest_orders, &text);
    enum err err = output_write(file, &text, why);
    free(title);
    free(file);
    free(name);
    buf_release(&text);
    return err;
}
