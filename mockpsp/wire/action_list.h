/* What a fault does, one action after the other: `act = { delay("1s"), drop() }`. */
#ifndef ACTION_LIST_H
#define ACTION_LIST_H

#include "action.h"
#include "buf.h"
#include "err.h"
#include "failpoint.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>

#define ACTIONS_MOST 8

/* A zeroed list is empty, and means: pass. */
struct action_list {
    struct action *items; /* each but the last has .more */
    size_t count;
};

/* Reads one action, or an array of 1 to ACTIONS_MOST of them. ERR_INVALID leaves a zeroed LIST. */
enum err action_list_from_json(const struct json *json, struct action_list *list,
                               struct err_text *why) MUST_CHECK;

/* One action as itself, several as an array; owned by the caller. */
struct json *action_list_to_json(const struct action_list *list);

/* Whether all of them make sense at AT, in this order. ERR_INVALID names the one that does not, and
 * where it would. */
enum err action_list_check(const struct action_list *list, enum failpoint at,
                           struct err_text *why) MUST_CHECK;

bool action_list_has(const struct action_list *list, enum action_kind kind);

/* Whether a provider without a harness can do all of them. ERR_INVALID names the first of what is
 * done to a client's process. */
enum err action_list_check_alone(const struct action_list *list, struct err_text *why) MUST_CHECK;

/* For a person: "delay 1s, then drop". */
void action_list_describe(const struct action_list *list, struct buf *out);

void action_list_release(struct action_list *list);

#endif
