#include "gate.h"

#include "fields.h"
#include "mem.h"
#include "oauth.h"
#include "objects.h"
#include "plain.h"
#include "utf8.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* --- which key, if any ------------------------------------------------------------------------ */

/* Other methods are idempotent by themselves, and a token is made anew each time. */
static bool keys_count(const struct exchange *x)
{
    const struct dialect *dialect = &x->core->dialect;
    if (oauth_path(x->request.path))
        return false;
    return strcmp(x->request.method, "POST") == 0 ||
           (dialect->deletes && strcmp(x->request.method, "DELETE") == 0);
}

static const char *carried(const struct exchange *x)
{
    const struct dialect *dialect = &x->core->dialect;
    if (dialect->carrier == CARRIER_HEADER)
        return request_header(&x->request, dialect->key.text);
    return dialect->carrier == CARRIER_FIELD ? params_get(&x->params, dialect->key.text) : NULL;
}

/* A structured-field string (RFC 8941, 3.3.3): NULL when TEXT is none. */
static char *unquote(const char *text)
{
    struct buf plain = {0};
    size_t length = strlen(text);
    if (length < 2 || text[0] != '"' || text[length - 1] != '"')
        return NULL;
    for (size_t i = 1; i < length - 1; i++) {
        bool escape = text[i] == '\\' && i + 1 < length - 1;
        if (escape)
            i++;
        if (!escape && (text[i] == '"' || text[i] == '\\')) {
            buf_release(&plain);
            return NULL;
        }
        buf_add_char(&plain, text[i]);
    }
    return buf_take(&plain);
}

char *gate_key(const struct exchange *x)
{
    const char *text = keys_count(x) ? carried(x) : NULL;
    if (text != NULL && !utf8_valid(text))
        return mem_strdup(""); /* refused when the gate opens */
    if (text == NULL || !x->core->dialect.quoted)
        return mem_strdup(text);
    char *plain = unquote(text);
    return plain == NULL ? mem_strdup("") : plain;
}

const char *gate_ignored(const struct exchange *x)
{
    const struct dialect *other;
    if (strcmp(x->request.method, "POST") != 0 || x->attempt.key != NULL)
        return NULL;
    for (int i = 0; (other = dialect_number(i)) != NULL; i++)
        if (other->carrier == CARRIER_HEADER &&
            request_header(&x->request, other->key.text) != NULL)
            return other->key.text;
    return NULL;
}

static bool key_is_good(const struct dialect *dialect, const char *key)
{
    size_t length = 0;
    for (; key[length] != '\0'; length++)
        if (iscntrl((unsigned char)key[length]))
            return false;
    return length > 0 && length <= (size_t)dialect->longest;
}

static bool refuse_key(struct exchange *x, char *message)
{
    reply_error(&x->reply, (struct api_error){.status = 400, .message = message});
    free(message);
    return false;
}

/* False after refusing. On the plain face, which has operations, a key is never required. */
static bool read_key(struct exchange *x)
{
    const struct dialect *dialect = &x->core->dialect;
    const char *key = x->attempt.key;
    if (key == NULL && dialect->required && keys_count(x) && !plain_path(x->request.path))
        return refuse_key(
            x, mem_printf("An idempotency key is required: send %s.", dialect->key.text));
    if (key == NULL)
        return true;
    if (!key_is_good(dialect, key))
        return refuse_key(x, mem_printf("Invalid %s: 1 to %d characters%s, none of them a control "
                                        "character.",
                                        dialect->key.text, dialect->longest,
                                        dialect->quoted ? " in double quotes" : ""));
    free(x->scoped_key); /* a twin that has waited comes by again */
    x->scoped_key = NULL;
    if (dialect->scope == SCOPE_ENDPOINT)
        x->scoped_key = mem_printf("%s %s\n%s", x->attempt.method, x->attempt.path, key);
    x->use = (struct key_use){.account = x->attempt.account,
                              .key = x->scoped_key == NULL ? key : x->scoped_key,
                              .method = x->attempt.method,
                              .path = x->attempt.path,
                              .fingerprint = x->attempt.fingerprint,
                              .request_id = x->attempt.request_id};
    return true;
}

/* --- what a known key is answered ------------------------------------------------------------- */

static const char *code_or_null(const struct dialect_text *code)
{
    return code->text[0] == '\0' ? NULL : code->text;
}

static void refuse_other_url(struct exchange *x, const struct key_record *record)
{
    char *message = mem_printf("The idempotency key was first used for %s %s and cannot be used "
                               "for %s %s. Use another key for another request.",
                               record->method, record->path, x->use.method, x->use.path);
    int status = x->core->dialect.mismatch;
    reply_error(&x->reply, (struct api_error){.status = status == 0 ? 400 : status,
                                              .type = "idempotency_error",
                                              .code = code_or_null(&x->core->dialect.mismatch_code),
                                              .message = message});
    free(message);
}

static void refuse_mismatch(struct exchange *x)
{
    reply_error(&x->reply,
                (struct api_error){.status = x->core->dialect.mismatch,
                                   .type = "idempotency_error",
                                   .code = code_or_null(&x->core->dialect.mismatch_code),
                                   .message = "The idempotency key was first used with other "
                                              "parameters. Send the same ones, or another key for "
                                              "another request."});
}

static void refuse_in_flight(struct exchange *x, const struct key_record *record)
{
    if (x->core->dialect.in_flight == 0) {
        mem_set_string(&x->waits_for, record->request_id);
        return;
    }
    x->in_flight = true;
    reply_error(&x->reply,
                (struct api_error){.status = x->core->dialect.in_flight,
                                   .code = code_or_null(&x->core->dialect.in_flight_code),
                                   .message = "Another request with the same idempotency key is "
                                              "being executed. Try again in a moment."});
}

static void replay_conflict(struct exchange *x, const char *id)
{
    reply_error(&x->reply, (struct api_error){.status = 409,
                                              .type = "invalid_state",
                                              .code = "idempotent_creation_conflict",
                                              .conflict = id,
                                              .message = "A resource has already been created "
                                                         "with this idempotency key."});
}

/* The object as it is by now; as it was then when it is gone. */
static enum err replay_latest(struct exchange *x, const struct key_record *record, const char *id)
{
    struct json *object;
    enum err err = objects_render(x, id, &object);
    if (err == ERR_OK)
        reply_object(&x->reply, record->status, object);
    return err == ERR_NOT_FOUND ? ERR_OK : err;
}

static enum err replay(struct exchange *x, struct key_record *record)
{
    enum replay mode = x->core->dialect.replay;
    struct json *body = NULL;
    enum err err = ERR_OK;
    if (mode != REPLAY_BYTES && record->status < 300)
        err = json_parse(record->body, strlen(record->body), &body, NULL);
    const char *id = reply_id(body);
    if (err == ERR_OK && id != NULL && mode == REPLAY_LATEST)
        err = replay_latest(x, record, id);
    else if (id != NULL && mode == REPLAY_CONFLICT)
        replay_conflict(x, id);
    if (err == ERR_OK && !reply_decided(&x->reply)) {
        reply_set(&x->reply, record->status, record->body);
        record->body = NULL;
    }
    json_free(body);
    x->original_request = mem_strdup(record->request_id);
    x->replayed = true;
    return err;
}

/* In flight, but by nobody that lives: the database was full when its claim should have been
 * released. Nothing happened under it. */
static bool is_orphan(struct exchange *x, enum key_verdict verdict, const struct key_record *record)
{
    return verdict == KEY_IN_FLIGHT && exchange_find(x->core, record->request_id) == NULL;
}

/* Errors of the gate itself may be written in a style of their own. */
static enum err reply_known(struct exchange *x, enum key_verdict verdict, struct key_record *record)
{
    if (verdict == KEY_NEW || is_orphan(x, verdict, record))
        return ERR_OK;
    if (verdict == KEY_REPLAY)
        return replay(x, record);
    if (verdict == KEY_OTHER_URL)
        refuse_other_url(x, record);
    else if (verdict == KEY_MISMATCH)
        refuse_mismatch(x);
    else
        refuse_in_flight(x, record);
    return ERR_OK;
}

static enum err look_up(struct exchange *x)
{
    enum key_verdict verdict;
    struct key_record record;
    enum err err = key_look_up(x->core->store, &x->core->dialect, &x->use,
                               clock_now_ms(x->core->clock), &verdict, &record);
    if (err == ERR_OK)
        err = reply_known(x, verdict, &record);
    key_record_release(&record);
    return err;
}

/* --- the step --------------------------------------------------------------------------------- */

static enum err claim(struct exchange *x)
{
    enum err err =
        key_claim(x->core->store, &x->use, clock_now_ms(x->core->clock), x->core->dialect.ttl_ms);
    x->claimed = err == ERR_OK;
    return err;
}

/* Whether the request may go on to its operation: nothing was replied, and no twin is waited for.
 */
static bool goes_on(const struct exchange *x, enum err err)
{
    return err == ERR_OK && !reply_decided(&x->reply) && x->waits_for == NULL;
}

void gate_open(struct exchange *x)
{
    enum reply_style face = x->reply.style;
    enum err err = ERR_OK;
    if (x->core->dialect.errors == ERRORS_PROBLEM)
        x->reply.style = STYLE_PROBLEM;
    if (!read_key(x))
        return;
    if (x->use.key != NULL)
        err = look_up(x);
    if (!reply_decided(&x->reply))
        x->reply.style = face;
    if (goes_on(x, err) && x->operation->check != NULL)
        x->operation->check(x);
    if (goes_on(x, err) && x->use.key != NULL)
        err = claim(x);
    if (err != ERR_OK)
        fields_broken(x);
}

enum err gate_finish(struct exchange *x)
{
    if (!x->claimed)
        return ERR_OK;
    if (key_remembers(&x->core->dialect, x->reply.status))
        return key_finish(x->core->store, &x->use, x->reply.status, x->reply.body);
    return key_release(x->core->store, &x->use);
}

void gate_release(struct exchange *x)
{
    if (!x->claimed)
        return;
    x->claimed = false;
    /* When the database cannot write, the claim stays behind as an orphan, and the next use of the
     * key sees that nobody holds it. */
    if (key_release(x->core->store, &x->use) != ERR_OK)
        core_broken(x->core);
}
