/* Objects that a test has met, by kind, and a look whether each has come from where it stood to
 * where it stands by a way that the table of its state machine has. */
#ifndef WATCHED_H
#define WATCHED_H

#include "checkout_session.h"
#include "dispute.h"
#include "intent.h"
#include "refund.h"
#include "setup_intent.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

static struct store *watched_store; /* of the account sk_test_1 */
#define STATES_MOST 8
#define POOL        48

/* state_of_THING(id): where it stands, -1 when it is not there. may_THING: what its table says. */
#define WATCH(thing, member, type)                                                                 \
    static inline int state_of_##thing(const char *id)                                             \
    {                                                                                              \
        struct thing found;                                                                        \
        enum err err = thing##_get(watched_store, "sk_test_1", id, &found);                        \
        int state = (int)found.member;                                                             \
        thing##_release(&found);                                                                   \
        return err == ERR_OK ? state : -1;                                                         \
    }                                                                                              \
    static inline bool may_##thing(int from, int to)                                               \
    {                                                                                              \
        return thing##_may_move((enum type)from, (enum type)to);                                   \
    }

WATCH(intent, status, intent_status)
WATCH(charge, state, charge_state)
WATCH(dispute, status, dispute_status)
WATCH(setup_intent, status, setup_status)
WATCH(refund, state, refund_state)
WATCH(checkout_session, status, checkout_status)

struct known {
    char id[64];
    int state;
};

/* LETTER stands for an id of this kind in requests that are made up. */
static const struct kind {
    const char *prefix;
    char letter;
    int states;
    int (*state)(const char *id);
    bool (*may)(int from, int to);
} kinds[] = {
    {"pi_", 'p', INTENT_STATUS_COUNT, state_of_intent, may_intent},
    {"ch_", 'h', CHARGE_STATE_COUNT, state_of_charge, may_charge},
    {"du_", 'u', DISPUTE_STATUS_COUNT, state_of_dispute, may_dispute},
    {"seti_", 's', SETUP_STATUS_COUNT, state_of_setup_intent, may_setup_intent},
    {"re_", 'r', REFUND_STATE_COUNT, state_of_refund, may_refund},
    {"cs_test_", 'x', CHECKOUT_STATUS_COUNT, state_of_checkout_session, may_checkout_session},
    {"cus_", 'k', 0, NULL, NULL},
    {"pm_", 'y', 0, NULL, NULL},
};

#define KINDS (sizeof kinds / sizeof kinds[0])
static struct pool {
    struct known list[POOL];
    size_t seen;
    bool reach[STATES_MOST][STATES_MOST];
} pools[KINDS];

/* Several moves may fit into one request: what counts is that a way by the table leads there. */
static inline void watched_find_ways(const struct kind *kind, struct pool *pool)
{
    for (int from = 0; from < kind->states; from++)
        for (int to = 0; to < kind->states; to++)
            pool->reach[from][to] = from == to || kind->may(from, to);
    for (int by = 0; by < kind->states; by++)
        for (int from = 0; from < kind->states; from++)
            for (int to = 0; to < kind->states; to++)
                if (pool->reach[from][by] && pool->reach[by][to])
                    pool->reach[from][to] = true;
}

static inline void watched_look_at(size_t k, struct known *known)
{
    int now = kinds[k].states == 0 ? -1 : kinds[k].state(known->id);
    if (now < 0)
        return;
    cr_assert(pools[k].reach[known->state][now], "%s went from state %d to %d", known->id,
              known->state, now);
    known->state = now;
}

static inline void meet_as(size_t k, const char *id)
{
    struct known *known = pools[k].list;
    while (known < pools[k].list + POOL && strcmp(known->id, id) != 0)
        known++;
    if (known == pools[k].list + POOL) {
        known = &pools[k].list[pools[k].seen++ % POOL];
        snprintf(known->id, sizeof known->id, "%s", id);
        known->state = kinds[k].states == 0 ? 0 : kinds[k].state(id);
    }
    if (known->state < 0)
        known->id[0] = '\0'; /* it was rolled back, or replayed after a reset */
    watched_look_at(k, known);
}

/* ID, or NULL, was told of. Test cards are no objects. */
static inline void watched_meet(const char *id)
{
    for (size_t k = 0; id != NULL && k < KINDS; k++) {
        size_t length = strlen(kinds[k].prefix);
        if (strncmp(id, kinds[k].prefix, length) == 0 && strchr(id + length, '_') == NULL)
            meet_as(k, id);
    }
}

#endif
