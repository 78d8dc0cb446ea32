#include "bucket.h"

#include "crypto.h"
#include "mem.h"
#include "shrink.h"

#include <stdlib.h>
#include <string.h>

static const char *place_of(const struct plan *plan)
{
    if (plan->count > 0)
        return plan->choices[plan->count - 1].on;
    return delivery_what(plan->delivery);
}

void bucket_list_add(struct bucket_list *list, const struct plan *plan, int orders,
                     const struct trial *trial)
{
    const char *place = place_of(plan);
    for (size_t i = 0; i < list->count; i++) {
        struct bucket *bucket = &list->items[i];
        if (bucket->invariant == trial->invariant && bucket->cause == trial->cause &&
            strcmp(bucket->place, place) == 0) {
            bucket->schedules++;
            return;
        }
    }
    list->items = mem_resize(list->items, list->count + 1, sizeof *list->items);
    list->items[list->count++] = (struct bucket){.invariant = trial->invariant,
                                                 .cause = trial->cause,
                                                 .place = mem_strdup(place),
                                                 .plan = plan_copy(plan),
                                                 .orders = orders,
                                                 .schedules = 1};
}

static void confirm(struct bucket *bucket, struct lab *lab)
{
    struct trial_question questions[CONFIRMATIONS];
    const struct trial *answers[CONFIRMATIONS];
    for (int i = 0; i < CONFIRMATIONS; i++)
        questions[i] =
            (struct trial_question){&bucket->shortest, bucket->shortest_orders, i + 2, false};
    lab_ask(lab, questions, CONFIRMATIONS, answers);
    for (int i = 0; i < CONFIRMATIONS; i++) {
        bucket->asked += answers[i] != NULL;
        bucket->confirmed +=
            answers[i] != NULL && shrink_is_same(answers[i], bucket->invariant, bucket->cause);
    }
}

void bucket_list_shrink(struct bucket_list *list, struct lab *lab)
{
    for (size_t i = 0; i < list->count; i++) {
        struct bucket *bucket = &list->items[i];
        if (bucket->shrunk)
            continue;
        bucket->shortest = plan_copy(&bucket->plan);
        bucket->shortest_orders = bucket->orders;
        bucket->steps = shrink(lab, &bucket->shortest, &bucket->shortest_orders, bucket->invariant,
                               bucket->cause);
        struct trial_question question = {&bucket->shortest, bucket->shortest_orders, 0, false};
        lab_ask(lab, &question, 1, &bucket->trial);
        confirm(bucket, lab);
        bucket->shrunk = true;
    }
}

char *bucket_name(const struct bucket *bucket)
{
    char *text = mem_printf("%s %s %s", invariant_name(bucket->invariant),
                            cause_name(bucket->cause), bucket->place);
    struct crypto_digest digest = crypto_sha256(text, strlen(text));
    char *name = mem_printf("r_%s_%.8s", invariant_name(bucket->invariant), digest.hex);
    free(text);
    return name;
}

void bucket_list_release(struct bucket_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].place);
        plan_release(&list->items[i].plan);
        plan_release(&list->items[i].shortest);
    }
    free(list->items);
    *list = (struct bucket_list){0};
}
