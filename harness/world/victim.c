#include "victim.h"

#include "client_process.h"
#include "world_internal.h"

#include <inttypes.h>
#include <string.h>
#include <unistd.h>

static bool is(const char *whom, const char *word)
{
    return strcmp(whom, word) == 0;
}

/* A part of whoever has sent the request. */
static bool is_part(const char *whom)
{
    return is(whom, "family") || is(whom, "leader") || is(whom, "group") || is(whom, "process");
}

/* The process in that role, of the order when there is one for each. */
static struct client_process *in_role(const struct world *world, const char *order,
                                      const char *role)
{
    for (struct client_process *process = world->processes; process != NULL;
         process = process->next)
        if (process->proc != NULL && process->role != NULL && is(process->role, role) &&
            (process->order == NULL || order == NULL || is(process->order->id, order)))
            return process;
    return NULL;
}

static enum err choose_part(const struct world *world, const struct attempt *attempt,
                            const char *whom, struct victim *victim)
{
    const struct proc *proc = victim->client->proc;
    if (is(whom, "leader"))
        victim->choice = (struct family_choice){FAMILY_ONE, proc_pid(proc)};
    if (!is(whom, "group") && !is(whom, "process"))
        return ERR_OK;
    pid_t sender = attempt->peer_port == 0
                       ? 0
                       : proc_with_connection(proc, attempt->peer_port, psp_port(world->psp));
    victim->choice.part = is(whom, "group") ? FAMILY_GROUP : FAMILY_ONE;
    victim->choice.id = sender > 0 && is(whom, "group") ? getpgid(sender) : sender;
    return victim->choice.id > 0 ? ERR_OK : ERR_NOT_FOUND;
}

enum err victim_find(struct world *world, const struct attempt *attempt, const char *whom,
                     const char *what, struct victim *victim, struct err_text *why)
{
    bool part = whom == NULL || is_part(whom);
    *victim = (struct victim){.client = part ? client_process_of(world, attempt)
                                             : in_role(world, attempt->order, whom)};
    if (victim->client == NULL && !part)
        return err_say(why, ERR_NOT_FOUND,
                       "%s struck at request %" PRIu64
                       ", but no %s of the client was running: see the client file",
                       what, attempt->number, whom);
    if (victim->client == NULL)
        return err_say(why, ERR_NOT_FOUND,
                       "%s struck at request %" PRIu64
                       ", but no client was running that had sent it: it has to wait for the "
                       "answer",
                       what, attempt->number);
    victim->of_run = victim->client->runs;
    if (whom == NULL || !part || choose_part(world, attempt, whom, victim) == ERR_OK)
        return ERR_OK;
    return err_say(why, ERR_NOT_FOUND,
                   "%s struck at request %" PRIu64
                   ", but which process had sent it cannot be told: leave `whom` out",
                   what, attempt->number);
}

bool victim_still_runs(const struct victim *victim)
{
    return victim->client->proc != NULL && victim->client->runs == victim->of_run;
}

void victim_signal(const struct victim *victim, int signal)
{
    if (victim_still_runs(victim))
        proc_signal(victim->client->proc, victim->choice, signal);
}

bool victim_is_stopped(const struct victim *victim)
{
    return !victim_still_runs(victim) ||
           proc_state(victim->client->proc, victim->choice) != FAMILY_RUNNING;
}

/* Whoever is the last of a client is gone when that is: the history has the one thing at a time. */
bool victim_has_left(const struct victim *victim)
{
    const struct client_process *client = victim->client;
    if (client->runs != victim->of_run || !client_process_is_there(client))
        return true;
    if (victim->choice.part == FAMILY_ALL || client->proc == NULL)
        return false;
    struct family_choice leader = {FAMILY_ONE, proc_pid(client->proc)};
    return proc_state(client->proc, leader) != FAMILY_GONE &&
           proc_state(client->proc, victim->choice) == FAMILY_GONE;
}
