#include "exploration.h"

#include "clock.h"

/* After the budget is spent: what was found is still made short, but not for ever. */
#define LAST_MS INT64_C(20000)

static void collect(struct exploration *exploration, size_t begin)
{
    const struct space *space = &exploration->space;
    for (size_t i = begin; i < space->count; i++) {
        const struct node *node = &space->nodes[i];
        if (node->trial != NULL && node->trial->end == TRIAL_broke)
            bucket_list_add(&exploration->found, &node->plan, space->options.orders, node->trial);
    }
    if (begin == 0 && space->many != NULL && space->many->end == TRIAL_broke)
        bucket_list_add(&exploration->found, &space->nodes[0].plan, SPACE_MANY, space->many);
    exploration->shrinks = true;
    bucket_list_shrink(&exploration->found, exploration->lab);
    exploration->shrinks = false;
    if (exploration->options.changed != NULL)
        exploration->options.changed(exploration->options.context);
}

/* What came at the very end has had no time yet. */
static void shrink_the_last(struct exploration *exploration)
{
    struct bucket_list *found = &exploration->found;
    if (lab_signal(exploration->lab) != 0 || !lab_is_out_of_time(exploration->lab))
        return;
    for (size_t i = 0; i < found->count; i++) {
        struct bucket *bucket = &found->items[i];
        if (bucket->asked < CONFIRMATIONS) {
            plan_release(&bucket->shortest);
            bucket->shrunk = false;
            bucket->confirmed = 0;
            bucket->asked = 0;
        }
    }
    lab_allow(exploration->lab, clock_monotonic_us() + LAST_MS * 1000, 0);
    bucket_list_shrink(found, exploration->lab);
    lab_allow(exploration->lab, exploration->options.deadline_us, exploration->options.most);
}

static bool is_complete(const struct exploration *exploration)
{
    const struct space *space = &exploration->space;
    return space_is_sound(space) && exploration_count(exploration, TRIAL_not_run) == 0;
}

void exploration_run(struct exploration *exploration, struct lab *lab,
                     const struct exploration_options *options)
{
    int64_t began = clock_monotonic_us();
    *exploration = (struct exploration){.options = *options, .lab = lab};
    struct space *space = &exploration->space;
    space_begin(space, lab, &options->space);
    collect(exploration, 0);
    size_t begin = space->count;
    bool grows = space_is_sound(space);
    while (grows && space_grow(space)) {
        collect(exploration, begin);
        begin = space->count;
    }
    bool deep = space->level_count > (size_t)options->space.depth;
    exploration->complete =
        is_complete(exploration) && (deep || !lab_is_out_of_time(lab)) && lab_signal(lab) == 0;
    if (grows && options->random) {
        const struct random_options walks = {.seed = options->space.seed,
                                             .orders = options->space.orders,
                                             .shard = options->space.shard,
                                             .shards = options->space.shards,
                                             .every = options->space.every,
                                             .around = space->around};
        random_walk(lab, &walks, &exploration->found, &exploration->walks);
        collect(exploration, space->count);
    }
    shrink_the_last(exploration);
    exploration->took_ms = (clock_monotonic_us() - began) / 1000;
}

size_t exploration_count(const struct exploration *exploration, enum trial_end end)
{
    const struct space *space = &exploration->space;
    size_t count = 0;
    for (size_t i = 0; i < space->count; i++) {
        const struct node *node = &space->nodes[i];
        enum trial_end ended = node->trial == NULL ? TRIAL_not_run : node->trial->end;
        count += node->role != NODE_SKIPPED && ended == end;
    }
    return count;
}

size_t exploration_role(const struct exploration *exploration, enum node_role role)
{
    const struct space *space = &exploration->space;
    size_t count = 0;
    for (size_t i = 0; i < space->count; i++)
        count += space->nodes[i].role == role;
    return count;
}

const struct node *exploration_first(const struct exploration *exploration, enum trial_end end)
{
    const struct space *space = &exploration->space;
    for (size_t i = 0; i < space->count; i++)
        if (space->nodes[i].trial != NULL && space->nodes[i].trial->end == end)
            return &space->nodes[i];
    return NULL;
}

void exploration_release(struct exploration *exploration)
{
    space_release(&exploration->space);
    bucket_list_release(&exploration->found);
    *exploration = (struct exploration){0};
}
