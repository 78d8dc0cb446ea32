#include "move.h"

#include <string.h>

static const struct {
    const char *name;
    enum failpoint at;
    enum move_for whom;
    int simplicity;
    const char *act;
    const char *what;
} MOVES[] = {
#define MOVE_ROW(name, at, whom, simplicity, act, what)                                            \
    {#name, FAILPOINT_##at, FOR_##whom, simplicity, act, what},
    MOVE_LIST(MOVE_ROW)
#undef MOVE_ROW
};

const char *move_name(enum move move)
{
    return MOVES[move].name;
}

bool move_parse(const char *name, enum move *move)
{
    for (int i = 0; name != NULL && i < MOVE_COUNT; i++) {
        *move = (enum move)i;
        if (strcmp(MOVES[i].name, name) == 0)
            return true;
    }
    return false;
}

enum failpoint move_at(enum move move)
{
    return MOVES[move].at;
}

const char *move_act(enum move move)
{
    return MOVES[move].act;
}

const char *move_what(enum move move)
{
    return MOVES[move].what;
}

int move_simplicity(enum move move)
{
    return MOVES[move].simplicity;
}

const char *move_queue(enum move move)
{
    switch (move) {
    case MOVE_expired_after_commit:
    case MOVE_expired_after_answer:
        return "backoff = \"25h\"";
    case MOVE_second_worker:
    case MOVE_second_worker_first:
        return "visibility_timeout = \"90s\"";
    case MOVE_pending_last_try:
        return "tries = 1";
    default:
        return NULL;
    }
}

void moves_list(struct buf *out)
{
    buf_add_string(out, "\nmoves, what explore does at a moment, the most dangerous first\n");
    for (int i = 0; i < MOVE_COUNT; i++)
        buf_addf(out, "  %-30s at %-14s %s%s\n", MOVES[i].name, failpoint_name(MOVES[i].at),
                 MOVES[i].what, i < MOVE_SYSTEMATIC ? "" : " (--random)");
}

static bool reads(const struct probe *probe)
{
    return strncmp(probe->on, "GET ", 4) == 0;
}

bool move_fits(enum move move, const struct probe *probe, struct surroundings around)
{
    /* Whose request it is must be known: a fault finds it by its order. */
    if (probe->at != MOVES[move].at || probe->on == NULL || probe->order == NULL)
        return false;
    if ((move == MOVE_hook_first && !around.listens) ||
        (around.one_process && (move == MOVE_second_worker || move == MOVE_second_worker_first)))
        return false;
    switch (MOVES[move].whom) {
    case FOR_PAYS:
        return probe->pays;
    case FOR_WRITE:
        return !reads(probe);
    case FOR_READ:
        return reads(probe);
    case FOR_RETRY:
        return !reads(probe) && probe->attempt > 1;
    case FOR_ISSUER:
        return probe->asks_issuer;
    case FOR_ANY:
    case FOR_HOOK:
        break;
    }
    return true;
}
