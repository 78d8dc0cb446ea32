#include "live.h"

#include "mem.h"
#include "schedule_source.h"

#include <stdlib.h>
#include <string.h>

struct entry {
    char *account; /* NULL: all */
    struct schedule_source *source;
};

struct live_faults {
    struct entry *entries;
    size_t count;
    struct schedule_source **retired; /* replaced, but an exchange may still be in its hands */
    size_t retired_count;
    struct armed_faults *armed;
    uint64_t seed;
    struct clock_source clock;
};

struct live_faults *live_faults_new(uint64_t seed, struct clock_source clock)
{
    struct live_faults *live = mem_alloc(sizeof *live);
    live->seed = seed;
    live->clock = clock;
    live->armed = armed_faults_new(seed, clock);
    return live;
}

/* Frees what nobody uses any more. */
static void sweep(struct live_faults *live)
{
    size_t kept = 0;
    for (size_t i = 0; i < live->retired_count; i++)
        if (schedule_source_busy(live->retired[i]))
            live->retired[kept++] = live->retired[i];
        else
            schedule_source_free(live->retired[i]);
    live->retired_count = kept;
}

static void retire(struct live_faults *live, struct schedule_source *source)
{
    live->retired =
        mem_resize(live->retired, live->retired_count + 1, sizeof(struct schedule_source *));
    live->retired[live->retired_count++] = source;
    sweep(live);
}

static struct entry *find(const struct live_faults *live, const char *account)
{
    for (size_t i = 0; i < live->count; i++) {
        const char *other = live->entries[i].account;
        if (account == NULL ? other == NULL : other != NULL && strcmp(other, account) == 0)
            return &live->entries[i];
    }
    return NULL;
}

void live_faults_free(struct live_faults *live)
{
    if (live == NULL)
        return;
    live_faults_clear(live);
    armed_faults_free(live->armed);
    for (size_t i = 0; i < live->retired_count; i++)
        schedule_source_free(live->retired[i]);
    free(live->entries);
    free(live->retired);
    free(live);
}

void live_faults_put(struct live_faults *live, const char *account, struct schedule schedule)
{
    struct schedule_source *source =
        schedule_source_new(schedule, draws_from_now(live->seed, live->clock));
    struct entry *entry = find(live, account);
    if (entry != NULL) {
        retire(live, entry->source);
        entry->source = source;
        return;
    }
    live->entries = mem_resize(live->entries, live->count + 1, sizeof *live->entries);
    live->entries[live->count++] = (struct entry){mem_strdup(account), source};
}

static void delete_schedule(struct live_faults *live, const char *account)
{
    struct entry *entry = find(live, account);
    if (entry == NULL)
        return;
    retire(live, entry->source);
    free(entry->account);
    *entry = live->entries[--live->count];
}

void live_faults_delete(struct live_faults *live, const char *account)
{
    delete_schedule(live, account);
    armed_faults_clear(live->armed, account);
}

void live_faults_clear(struct live_faults *live)
{
    while (live->count > 0)
        delete_schedule(live, live->entries[0].account);
    armed_faults_clear_all(live->armed);
}

const struct schedule *live_faults_get(const struct live_faults *live, const char *account)
{
    const struct entry *entry = find(live, account);
    return entry == NULL ? NULL : schedule_source_schedule(entry->source);
}

uint64_t live_faults_struck(const struct live_faults *live, const char *account, size_t rule)
{
    const struct entry *entry = find(live, account);
    return entry == NULL ? 0 : schedule_source_struck(entry->source, rule);
}

struct armed_faults *live_faults_armed(struct live_faults *live)
{
    return live->armed;
}

struct fault_source live_faults_choose(const struct live_faults *live, const char *account,
                                       struct fault_source otherwise)
{
    const struct entry *entry = find(live, account);
    if (entry == NULL)
        entry = find(live, NULL);
    struct fault_source behind = entry == NULL ? otherwise : schedule_source_faults(entry->source);
    return armed_faults_before(live->armed, account, behind);
}
