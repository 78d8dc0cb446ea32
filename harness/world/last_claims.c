#include "last_claims.h"

#include "asking.h"
#include "client_file.h"
#include "mem.h"
#include "order_run.h"
#include "world_internal.h"

#include <stdlib.h>

struct last_claim {
    struct order_run *run;
    struct asking *asking;
};

static void claimed(void *context, const struct client_answer *answer)
{
    struct last_claim *claim = context;
    if (answer->err == ERR_OK && answer->outcome != claim->run->outcome)
        order_run_end(claim->run, answer->outcome, answer->payment, CLAIM_BY_CLAIM);
    asking_free(claim->asking);
    claim->asking = NULL;
}

void last_claims_ask(struct world *world)
{
    size_t count = world->result->orders.count;
    if (!client_file_plan(world->client)->claims)
        return;
    world->last_claims = mem_alloc(count * sizeof *world->last_claims);
    for (size_t i = 0; i < count; i++) {
        struct last_claim *claim = &world->last_claims[i];
        claim->run = &world->runs[i];
        if (claim->run->runs > 0)
            claim->asking = asking_start(world, claim->run->order, CLIENT_CLAIM, claimed, claim);
    }
}

bool last_claims_are_in(const struct world *world)
{
    for (size_t i = 0; world->last_claims != NULL && i < world->result->orders.count; i++)
        if (world->last_claims[i].asking != NULL)
            return false;
    return true;
}

void last_claims_release(struct world *world)
{
    for (size_t i = 0; world->last_claims != NULL && i < world->result->orders.count; i++)
        asking_free(world->last_claims[i].asking);
    free(world->last_claims);
}
