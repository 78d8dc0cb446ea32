/* JSON values, for bodies, the journal and the messages between provider and harness.
 *
 * A thin skin over cJSON with the two things it lacks: integers are exact over the whole of int64
 * (money never passes through a double on the way out), and objects keep the order of insertion, so
 * that the same value always prints as the same bytes. */
#ifndef JSON_H
#define JSON_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A value owned by whoever made it until it is put into another one. */
struct json;

struct json *json_object(void);
struct json *json_array(void);
struct json *json_string(const char *text);
struct json *json_int(int64_t number);
struct json *json_double(double number); /* finite */
struct json *json_bool(bool value);
struct json *json_null(void);
void json_free(struct json *json); /* NULL is fine */
struct json *json_copy(const struct json *json);

/* The same members in the same order, or in another one. NULL equals nothing. */
bool json_equal(const struct json *a, const struct json *b);

/* Put into an object under NAME (copied); an existing member of that name is replaced. TEXT NULL
 * becomes null. json_set takes CHILD over. */
void json_set(struct json *object, const char *name, struct json *child);
void json_set_string(struct json *object, const char *name, const char *text);
void json_set_int(struct json *object, const char *name, int64_t number);
void json_set_bool(struct json *object, const char *name, bool value);
void json_set_null(struct json *object, const char *name);
/* Without a member of that name, does nothing. */
void json_remove(struct json *object, const char *name);
/* json_set_string, but leaves the member out when TEXT is NULL. */
void json_maybe_string(struct json *object, const char *name, const char *text);

/* Appends to an array and takes CHILD over. */
void json_push(struct json *array, struct json *child);

/* Look-ups borrow. A missing member, or one of another type, is NULL or the default given. */
const struct json *json_get(const struct json *object, const char *name);
struct json *json_get_mutable(struct json *object, const char *name);
const char *json_get_string(const struct json *object, const char *name);
int64_t json_get_int(const struct json *object, const char *name, int64_t missing);
bool json_get_bool(const struct json *object, const char *name, bool missing);

bool json_is_object(const struct json *json);
bool json_is_array(const struct json *json);
bool json_is_bool(const struct json *json);
bool json_is_null(const struct json *json);
const char *json_as_string(const struct json *json); /* NULL when it is no string */
/* False when it is no whole number that int64 can hold exactly. */
bool json_as_int(const struct json *json, int64_t *number);
bool json_as_double(const struct json *json, double *number); /* false when it is no number */
bool json_as_bool(const struct json *json);

/* Children of an object or array in order: `for (c = json_first(j); c; c = json_next(c))`. */
const struct json *json_first(const struct json *json);
const struct json *json_next(const struct json *child);
const char *json_name(const struct json *child); /* of a member of an object */
size_t json_count(const struct json *json);

/* New text without spaces, or with indentation for people; the caller frees it. */
char *json_print(const struct json *json);
char *json_print_pretty(const struct json *json);

/* Parses exactly one value that fills TEXT (white space aside) and that nests at most 100 deep. A
 * number that would lose digits (more than 15), or a text with a zero byte, is refused rather than
 * changed. ERR_INVALID, with the byte where it went wrong in WHY (may be NULL), leaves *JSON NULL.
 */
enum err json_parse(const char *text, size_t length, struct json **json,
                    struct err_text *why) MUST_CHECK;

#endif
