#include "coverage.h"

#include "mem.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const char *what;
} STATES[] = {
#define CELL_STATE_ROW(name, what) {#name, what},
    CELL_STATE_LIST(CELL_STATE_ROW)
#undef CELL_STATE_ROW
};

const char *cell_state_name(enum cell_state state)
{
    return STATES[state].name;
}

const char *cell_state_what(enum cell_state state)
{
    return STATES[state].what;
}

static struct cell *find(struct coverage *coverage, const char *on, int attempt, enum move move)
{
    for (size_t i = 0; i < coverage->count; i++) {
        struct cell *cell = &coverage->cells[i];
        if (cell->move == move && cell->attempt == attempt && strcmp(cell->on, on) == 0)
            return cell;
    }
    return NULL;
}

static struct cell *meet(struct coverage *coverage, const char *on, int attempt, enum move move)
{
    struct cell *cell = find(coverage, on, attempt, move);
    if (cell != NULL)
        return cell;
    coverage->cells = mem_resize(coverage->cells, coverage->count + 1, sizeof *coverage->cells);
    coverage->cells[coverage->count] =
        (struct cell){mem_strdup(on), attempt, move, CELL_no_strike, 0};
    return &coverage->cells[coverage->count++];
}

static void meet_moves(const struct space *space, struct probe probe, bool came,
                       enum cell_state state, struct coverage *coverage)
{
    bool hook = probe.at == FAILPOINT_WEBHOOK;
    enum failpoint at = probe.at;
    for (int move = 0; move < MOVE_SYSTEMATIC; move++) {
        probe.at = came ? at : move_at((enum move)move);
        if ((probe.at == FAILPOINT_WEBHOOK) != hook ||
            !move_fits((enum move)move, &probe, space->around))
            continue;
        struct cell *cell = meet(coverage, probe.on, probe.attempt, (enum move)move);
        if (cell->schedules == 0 && state < cell->state)
            cell->state = state;
    }
}

/* Every move that makes sense for the requests of NODE's trace, wherever they got to, and those
 * whose moment came. */
static void meet_all(const struct space *space, const struct node *node, struct coverage *coverage)
{
    const struct trace *trace = &node->trial->trace;
    bool grows = plan_depth(&node->plan) < (size_t)space->options.depth &&
                 node->trial->end == TRIAL_survived && node->role == NODE_PLAYED;
    for (size_t i = 0; i < trace->count; i++) {
        const struct probe *probe = &trace->items[i];
        if (probe->on == NULL || probe->order == NULL)
            continue;
        if (failpoint_is_first(probe->at))
            meet_moves(space, *probe, false, CELL_no_strike, coverage);
        meet_moves(space, *probe, true, grows ? CELL_not_tried : CELL_deeper, coverage);
    }
}

static enum cell_state state_of(const struct node *node)
{
    static const enum cell_state states[] = {
        [TRIAL_not_run] = CELL_not_tried, [TRIAL_survived] = CELL_survived,
        [TRIAL_broke] = CELL_broke,       [TRIAL_missed] = CELL_no_strike,
        [TRIAL_unsure] = CELL_unsure,     [TRIAL_error] = CELL_unsure};
    if (node->role == NODE_SKIPPED)
        return CELL_skipped;
    return node->trial == NULL ? CELL_not_tried : states[node->trial->end];
}

static int by_place(const void *one, const void *other)
{
    const struct cell *a = one;
    const struct cell *b = other;
    int on = strcmp(a->on, b->on);
    if (on != 0)
        return on;
    if (a->attempt != b->attempt)
        return a->attempt < b->attempt ? -1 : 1;
    return (a->move > b->move) - (a->move < b->move);
}

struct coverage coverage_of(const struct space *space)
{
    struct coverage coverage = {0};
    for (size_t i = 0; i < space->count; i++) {
        const struct node *node = &space->nodes[i];
        if (node->trial != NULL)
            meet_all(space, node, &coverage);
        if (node->plan.count == 0)
            continue;
        const struct choice *last = &node->plan.choices[node->plan.count - 1];
        struct cell *cell = meet(&coverage, last->on, last->attempt, last->move);
        enum cell_state state = state_of(node);
        if (cell->schedules == 0 || state < cell->state)
            cell->state = state;
        cell->schedules++;
    }
    if (coverage.count > 0)
        qsort(coverage.cells, coverage.count, sizeof *coverage.cells, by_place);
    for (size_t i = 0; i < coverage.count; i++)
        coverage.of[coverage.cells[i].state]++;
    return coverage;
}

int coverage_percent(const struct coverage *coverage)
{
    size_t tried = coverage->of[CELL_broke] + coverage->of[CELL_survived] +
                   coverage->of[CELL_skipped] + coverage->of[CELL_unsure];
    size_t can = tried + coverage->of[CELL_not_tried];
    return can == 0 ? 100 : (int)(tried * 100 / can);
}

struct json *coverage_to_json(const struct coverage *coverage)
{
    struct json *list = json_array();
    for (size_t i = 0; i < coverage->count; i++) {
        const struct cell *cell = &coverage->cells[i];
        struct json *json = json_object();
        json_set_string(json, "on", cell->on);
        json_set_int(json, "attempt", cell->attempt);
        json_set_string(json, "at", failpoint_name(move_at(cell->move)));
        json_set_string(json, "move", move_name(cell->move));
        json_set_string(json, "act", move_act(cell->move));
        json_set_string(json, "state", cell_state_name(cell->state));
        json_set_int(json, "schedules", (int64_t)cell->schedules);
        json_push(list, json);
    }
    return list;
}

void coverage_release(struct coverage *coverage)
{
    for (size_t i = 0; i < coverage->count; i++)
        free(coverage->cells[i].on);
    free(coverage->cells);
    *coverage = (struct coverage){0};
}
