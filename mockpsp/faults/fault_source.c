#include "fault_source.h"

static void none_ask(void *self, const struct attempt *attempt, enum failpoint at,
                     fault_answer *answer, void *context)
{
    (void)self;
    (void)attempt;
    (void)at;
    answer(context, &(struct action){.kind = ACTION_PASS});
}

static void none_see(void *self, const struct attempt *attempt)
{
    (void)self;
    (void)attempt;
}

static void none_end(void *self, const struct attempt *attempt)
{
    (void)self;
    (void)attempt;
}

struct fault_source fault_source_none(void)
{
    static const struct fault_source_ops ops = {.ask = none_ask, .see = none_see, .end = none_end};
    return (struct fault_source){.ops = &ops};
}

void fault_source_ask(struct fault_source source, const struct attempt *attempt, enum failpoint at,
                      fault_answer *answer, void *context)
{
    source.ops->ask(source.self, attempt, at, answer, context);
}

bool fault_source_see(struct fault_source source, const struct attempt *attempt)
{
    if (source.ops->see != NULL)
        source.ops->see(source.self, attempt);
    return source.ops->see != NULL;
}

void fault_source_end(struct fault_source source, const struct attempt *attempt)
{
    source.ops->end(source.self, attempt);
}
