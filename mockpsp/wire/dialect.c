#include "dialect.h"

#include "buf.h"
#include "dialect_name.h"
#include "duration.h"
#include "nearest.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define HOURS(n) (INT64_C(3600000) * (n))
#define DAYS(n)  HOURS(INT64_C(24) * (n))

#define KEY_LIMIT 255 /* where a provider publishes none */

/* STRIPE_FACTS §3, a row a provider. Where a column is not published there, it is as in the row of
 * Stripe v1, unless a comment says otherwise. */
static const struct dialect DIALECTS[] = {
    {.name = {"stripe"},
     .carrier = CARRIER_HEADER,
     .key = {"Idempotency-Key"},
     .longest = KEY_LIMIT,
     .ttl_ms = HOURS(24),
     .mismatch = 400,
     .in_flight = 409,
     .in_flight_code = {"idempotency_key_in_use"},
     .marker = {"Idempotent-Replayed"},
     .echo = {"Idempotency-Key"}},
    /* v2: a success is not repeated, a failure is tried again under the same key. */
    {.name = {"stripe-v2"},
     .json = true,
     .carrier = CARRIER_HEADER,
     .key = {"Idempotency-Key"},
     .longest = KEY_LIMIT,
     .ttl_ms = DAYS(30),
     .deletes = true,
     .store = STORE_SUCCESS,
     .mismatch = 400,
     .in_flight = 409,
     .in_flight_code = {"idempotency_key_in_use"},
     .marker = {"Idempotent-Replayed"},
     .echo = {"Idempotency-Key"}},
    {.name = {"ietf"},
     .json = true,
     .carrier = CARRIER_HEADER,
     .key = {"Idempotency-Key"},
     .quoted = true,
     .required = true,
     .longest = KEY_LIMIT,
     .ttl_ms = HOURS(24),
     .mismatch = 422,
     .in_flight = 409,
     .errors = ERRORS_PROBLEM},
    /* Parameters are not compared; of twins one is processed, the other gets its answer. */
    {.name = {"checkout"},
     .json = true,
     .carrier = CARRIER_HEADER,
     .key = {"Cko-Idempotency-Key"},
     .longest = KEY_LIMIT,
     .ttl_ms = HOURS(24),
     .store = STORE_SUCCESS},
    /* Answers with the payment as it is now, not as it was. */
    {.name = {"paypal"},
     .json = true,
     .carrier = CARRIER_HEADER,
     .key = {"PayPal-Request-Id"},
     .longest = 108,
     .ttl_ms = HOURS(6),
     .store = STORE_SUCCESS,
     .replay = REPLAY_LATEST,
     .in_flight = 409,
     .in_flight_code = {"RESOURCE_CONFLICT"}},
    {.name = {"square"},
     .json = true,
     .carrier = CARRIER_FIELD,
     .key = {"idempotency_key"},
     .required = true,
     .longest = 45,
     .ttl_ms = HOURS(24),
     .store = STORE_SUCCESS,
     .mismatch = 400,
     .mismatch_code = {"IDEMPOTENCY_KEY_REUSED"},
     .in_flight = 409,
     .in_flight_code = {"CONFLICT"}},
    {.name = {"yookassa"},
     .json = true,
     .carrier = CARRIER_HEADER,
     .key = {"Idempotence-Key"},
     .required = true,
     .deletes = true,
     .longest = 64,
     .ttl_ms = HOURS(24),
     .mismatch = 400},
    {.name = {"adyen"},
     .json = true,
     .carrier = CARRIER_HEADER,
     .key = {"Idempotency-Key"},
     .longest = 64,
     .ttl_ms = DAYS(7),
     .mismatch = 422,
     .mismatch_code = {"704"},
     .in_flight = 422,
     .in_flight_code = {"704"},
     .transient = {"transient-error"},
     .echo = {"idempotency-key"}},
    {.name = {"gocardless"},
     .json = true,
     .carrier = CARRIER_HEADER,
     .key = {"Idempotency-Key"},
     .longest = 128,
     .ttl_ms = DAYS(30),
     .store = STORE_SUCCESS,
     .replay = REPLAY_CONFLICT,
     .in_flight = 409,
     .in_flight_code = {"idempotent_creation_conflict"}},
    {.name = {"mollie"},
     .json = true,
     .carrier = CARRIER_HEADER,
     .key = {"Idempotency-Key"},
     .longest = 64,
     .ttl_ms = HOURS(1),
     .mismatch = 400,
     .in_flight = 409,
     .marker = {"Idempotent-Replayed"}},
    {.name = {"modern-treasury"},
     .json = true,
     .carrier = CARRIER_HEADER,
     .key = {"Idempotency-Key"},
     .longest = KEY_LIMIT,
     .ttl_ms = HOURS(24),
     .scope = SCOPE_ANY_ROUTE,
     .store = STORE_SUCCESS,
     .in_flight = 409},
    /* Every POST is a new payment. */
    {.name = {"none"},
     .json = true,
     .carrier = CARRIER_NONE,
     .longest = KEY_LIMIT,
     .ttl_ms = HOURS(24),
     .operations = OPERATIONS_IGNORE},
};

#define DIALECT_COUNT ((int)(sizeof DIALECTS / sizeof DIALECTS[0]))

/* NULL when there is none of that name. */
static const struct dialect *find(const char *name)
{
    for (int i = 0; i < DIALECT_COUNT; i++)
        if (strcmp(DIALECTS[i].name.text, name) == 0)
            return &DIALECTS[i];
    return NULL;
}

const struct dialect *dialect_number(int number)
{
    return number < DIALECT_COUNT ? &DIALECTS[number] : NULL;
}

/* --- as a table ------------------------------------------------------------------------------- */

#define WORD(constant, name) name,
static const char *const CARRIERS[] = {DIALECT_CARRIER_LIST(WORD) NULL};
static const char *const SCOPES[] = {DIALECT_SCOPE_LIST(WORD) NULL};
static const char *const STORES[] = {DIALECT_STORE_LIST(WORD) NULL};
static const char *const REPLAYS[] = {DIALECT_REPLAY_LIST(WORD) NULL};
static const char *const OPERATIONS[] = {DIALECT_OPERATIONS_LIST(WORD) NULL};
static const char *const ERRORS[] = {DIALECT_ERRORS_LIST(WORD) NULL};
#undef WORD

enum kind { KIND_TEXT, KIND_FLAG, KIND_LENGTH, KIND_STATUS, KIND_TIME, KIND_WORD };

/* Every member of a dialect's table, where it lives, and what it may be. */
static const struct member {
    const char *name;
    enum kind kind;
    size_t offset;
    const char *const *words;
} MEMBERS[] = {
    {"name", KIND_TEXT, offsetof(struct dialect, name), NULL},
    {"carrier", KIND_WORD, offsetof(struct dialect, carrier), CARRIERS},
    {"key", KIND_TEXT, offsetof(struct dialect, key), NULL},
    {"quoted", KIND_FLAG, offsetof(struct dialect, quoted), NULL},
    {"required", KIND_FLAG, offsetof(struct dialect, required), NULL},
    {"deletes", KIND_FLAG, offsetof(struct dialect, deletes), NULL},
    {"longest", KIND_LENGTH, offsetof(struct dialect, longest), NULL},
    {"ttl", KIND_TIME, offsetof(struct dialect, ttl_ms), NULL},
    {"scope", KIND_WORD, offsetof(struct dialect, scope), SCOPES},
    {"store", KIND_WORD, offsetof(struct dialect, store), STORES},
    {"replay", KIND_WORD, offsetof(struct dialect, replay), REPLAYS},
    {"mismatch", KIND_STATUS, offsetof(struct dialect, mismatch), NULL},
    {"mismatch_code", KIND_TEXT, offsetof(struct dialect, mismatch_code), NULL},
    {"in_flight", KIND_STATUS, offsetof(struct dialect, in_flight), NULL},
    {"in_flight_code", KIND_TEXT, offsetof(struct dialect, in_flight_code), NULL},
    {"transient", KIND_TEXT, offsetof(struct dialect, transient), NULL},
    {"marker", KIND_TEXT, offsetof(struct dialect, marker), NULL},
    {"echo", KIND_TEXT, offsetof(struct dialect, echo), NULL},
    {"operations", KIND_WORD, offsetof(struct dialect, operations), OPERATIONS},
    {"json", KIND_FLAG, offsetof(struct dialect, json), NULL},
    {"errors", KIND_WORD, offsetof(struct dialect, errors), ERRORS},
};

#define MEMBER_COUNT (sizeof MEMBERS / sizeof MEMBERS[0])

/* Enums of the dialect are stored as the index of their word. */
_Static_assert(sizeof(enum carrier) == sizeof(int) && sizeof(enum scope) == sizeof(int),
               "a word is an int");

static void *at(struct dialect *dialect, const struct member *member)
{
    return (char *)dialect + member->offset;
}

static enum err read_text(const struct json *value, struct dialect_text *out, const char *name,
                          struct err_text *why)
{
    const char *text = json_as_string(value);
    if (text == NULL || strlen(text) >= sizeof out->text || strpbrk(text, "\r\n:") != NULL)
        return err_say(why, ERR_INVALID, "dialect: %s is text of at most %zu characters", name,
                       sizeof out->text - 1);
    snprintf(out->text, sizeof out->text, "%s", text);
    return ERR_OK;
}

static enum err read_word(const struct json *value, const struct member *member, int *out,
                          struct err_text *why)
{
    const char *text = json_as_string(value);
    for (int i = 0; text != NULL && member->words[i] != NULL; i++) {
        if (strcmp(member->words[i], text) == 0) {
            *out = i;
            return ERR_OK;
        }
    }
    struct buf known = {0};
    for (int i = 0; member->words[i] != NULL; i++)
        buf_addf(&known, "%s%s", i == 0 ? "" : ", ", member->words[i]);
    enum err err =
        err_say(why, ERR_INVALID, "dialect: %s is one of %s", member->name, buf_string(&known));
    buf_release(&known);
    return err;
}

/* A length of 1 to KEY_LIMIT, or a status of 400 to 499, or 0 for none. */
static enum err read_int(const struct json *value, const struct member *member, int *out,
                         struct err_text *why)
{
    bool status = member->kind == KIND_STATUS;
    int lowest = status ? 400 : 1;
    int highest = status ? 499 : KEY_LIMIT;
    int64_t number;
    if (!json_as_int(value, &number) || number > highest ||
        (number < lowest && !(status && number == 0)))
        return err_say(why, ERR_INVALID, "dialect: %s is a number from %d to %d%s", member->name,
                       lowest, highest, status ? ", or 0" : "");
    *out = (int)number;
    return ERR_OK;
}

static enum err read_flag(const struct json *value, bool *out, const char *name,
                          struct err_text *why)
{
    if (!json_is_bool(value))
        return err_say(why, ERR_INVALID, "dialect: %s is true or false", name);
    *out = json_as_bool(value);
    return ERR_OK;
}

static enum err read_time(const struct json *value, int64_t *out, struct err_text *why)
{
    const char *text = json_as_string(value);
    enum err err = text == NULL ? ERR_INVALID : duration_parse(text, out, NULL);
    if (err != ERR_OK || *out == 0)
        return err_say(why, ERR_INVALID, "dialect: ttl is a duration such as \"24h\"");
    return ERR_OK;
}

static enum err read_member(const struct json *value, const struct member *member,
                            struct dialect *dialect, struct err_text *why)
{
    void *out = at(dialect, member);
    switch (member->kind) {
    case KIND_TEXT:
        return read_text(value, out, member->name, why);
    case KIND_FLAG:
        return read_flag(value, out, member->name, why);
    case KIND_LENGTH:
    case KIND_STATUS:
        return read_int(value, member, out, why);
    case KIND_TIME:
        return read_time(value, out, why);
    case KIND_WORD:
        break;
    }
    return read_word(value, member, out, why);
}

static enum err by_name(const char *name, struct dialect *dialect, struct err_text *why)
{
    const struct dialect *found = find(name);
    if (found != NULL) {
        *dialect = *found;
        return ERR_OK;
    }
    const char *names[DIALECT_COUNT + 1] = {0};
    struct buf known = {0};
    for (int i = 0; i < DIALECT_COUNT; i++) {
        names[i] = DIALECTS[i].name.text;
        buf_addf(&known, "%s%s", i == 0 ? "" : ", ", names[i]);
    }
    enum err err = err_say(why, ERR_INVALID, "there is no dialect '%.40s'%s: one of %s", name,
                           nearest_hint(name, names).text, buf_string(&known));
    buf_release(&known);
    return err;
}

static enum err refuse_name(const char *member, const struct dialect_text *name, const char *wrong,
                            struct err_text *why)
{
    return err_say(why, ERR_INVALID, "dialect: %s cannot be '%s': it %s", member, name->text,
                   wrong);
}

static enum err check_key_name(const struct dialect *dialect, struct err_text *why)
{
    const char *wrong = NULL;
    if (dialect->carrier == CARRIER_NONE)
        return ERR_OK;
    if (dialect->key.text[0] == '\0')
        return err_say(why, ERR_INVALID, "dialect: key names the header or field of the key");
    wrong = dialect->carrier == CARRIER_HEADER ? dialect_name_header(dialect->key.text)
                                               : dialect_name_field(dialect->key.text);
    return wrong == NULL ? ERR_OK : refuse_name("key", &dialect->key, wrong, why);
}

/* The headers of an answer; none of them may take the place of another. */
static enum err check_answer_names(const struct dialect *dialect, struct err_text *why)
{
    const struct {
        const char *member;
        const struct dialect_text *name;
    } headers[] = {
        {"echo", &dialect->echo}, {"marker", &dialect->marker}, {"transient", &dialect->transient}};
    const size_t count = sizeof headers / sizeof headers[0];
    for (size_t i = 0; i < count; i++) {
        if (headers[i].name->text[0] == '\0')
            continue;
        const char *wrong = dialect_name_header(headers[i].name->text);
        for (size_t other = 0; other < i; other++)
            if (strcasecmp(headers[i].name->text, headers[other].name->text) == 0)
                wrong = "is the name of another header of the dialect";
        if (wrong != NULL)
            return refuse_name(headers[i].member, headers[i].name, wrong, why);
    }
    return ERR_OK;
}

static enum err refuse_member(const char *name, struct err_text *why)
{
    const char *names[MEMBER_COUNT + 2] = {"base"};
    for (size_t i = 0; i < MEMBER_COUNT; i++)
        names[i + 1] = MEMBERS[i].name;
    return err_say(why, ERR_INVALID, "a dialect has no member '%.40s'%s", name,
                   nearest_hint(name, names).text);
}

static enum err read_table(const struct json *json, struct dialect *dialect, struct err_text *why)
{
    for (const struct json *value = json_first(json); value != NULL; value = json_next(value)) {
        size_t i = 0;
        while (i < MEMBER_COUNT && strcmp(MEMBERS[i].name, json_name(value)) != 0)
            i++;
        if (i == MEMBER_COUNT && strcmp(json_name(value), "base") == 0)
            continue;
        if (i == MEMBER_COUNT)
            return refuse_member(json_name(value), why);
        enum err err = read_member(value, &MEMBERS[i], dialect, why);
        if (err != ERR_OK)
            return err;
    }
    enum err err = check_key_name(dialect, why);
    return err == ERR_OK ? check_answer_names(dialect, why) : err;
}

enum err dialect_from_json(const struct json *json, struct dialect *dialect, struct err_text *why)
{
    if (json_as_string(json) != NULL)
        return by_name(json_as_string(json), dialect, why);
    if (!json_is_object(json))
        return err_say(why, ERR_INVALID,
                       "a dialect is a name, or a table: { base = \"stripe\", "
                       "ttl = \"1h\" }");
    const char *base = json_get_string(json, "base");
    if (base == NULL && json_get(json, "base") != NULL)
        return err_say(why, ERR_INVALID, "dialect: base is the name of a dialect");
    enum err err = by_name(base == NULL ? "stripe" : base, dialect, why);
    if (err != ERR_OK)
        return err;
    if (json_get(json, "name") == NULL)
        snprintf(dialect->name.text, sizeof dialect->name.text, "custom");
    return read_table(json, dialect, why);
}

struct json *dialect_to_json(const struct dialect *dialect)
{
    struct dialect copy = *dialect;
    struct json *json = json_object();
    for (size_t i = 0; i < MEMBER_COUNT; i++) {
        const struct member *member = &MEMBERS[i];
        const void *value = at(&copy, member);
        if (member->kind == KIND_TEXT)
            json_set_string(json, member->name, value);
        else if (member->kind == KIND_FLAG)
            json_set_bool(json, member->name, *(const bool *)value);
        else if (member->kind == KIND_TIME)
            json_set_string(json, member->name, duration_format(*(const int64_t *)value).text);
        else if (member->kind == KIND_WORD)
            json_set_string(json, member->name, member->words[*(const int *)value]);
        else
            json_set_int(json, member->name, *(const int *)value);
    }
    return json;
}
