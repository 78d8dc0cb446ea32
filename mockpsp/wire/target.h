/* Which requests a fault speaks of: a method and a path, or a list of them. At webhook: events, by
 * their type. */
#ifndef TARGET_H
#define TARGET_H

#include "attempt.h"
#include "buf.h"
#include "err.h"
#include "failpoint.h"
#include "json.h"

#include <stdbool.h>
#include <stddef.h>

struct target {
    char *method; /* "POST", or "*" */
    char *path;   /* "/v1/charges*", "/v1/charges/{id}/capture" */
    char *event;  /* at webhook, in their place: "payment_intent.*" */
};

/* A zeroed list matches nothing. */
struct target_list {
    struct target *items;
    size_t count;
};

#define TARGETS_MOST 50

/* Reads "POST /v1/charges" or a list of such: a star stands for any method, or for any text in a
 * path (slashes included), and a whole segment {name} for any one segment that is a parameter of
 * the route. AT webhook each is the type of an event, a star for any text. ERR_INVALID leaves a
 * zeroed LIST. */
enum err target_list_from_json(const struct json *json, enum failpoint at, struct target_list *list,
                               struct err_text *why) MUST_CHECK;

/* One as text, several as an array; owned by the caller. */
struct json *target_list_to_json(const struct target_list *list);

/* Every request, or (AT webhook) every event. */
struct target_list target_list_any(enum failpoint at);
bool target_list_is_any(const struct target_list *list);

bool target_list_matches(const struct target_list *list, const struct attempt *attempt);

/* Whether each of them names METHOD, and none is open or an event. */
bool target_list_only(const struct target_list *list, const char *method);

/* Whether one of them names METHOD, or is open. */
bool target_list_may_be(const struct target_list *list, const char *method);

/* For a person: "POST /v1/charges or POST /v1/refunds". */
void target_list_describe(const struct target_list *list, struct buf *out);

void target_list_release(struct target_list *list);

#endif
