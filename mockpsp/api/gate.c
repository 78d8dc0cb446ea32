#include "gate.h"

#include "fields.h"
#include "log.h"
#include "mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static bool key_is_good(const char *key)
{
    size_t length = strlen(key);
    if (length == 0 || length > KEY_LONGEST)
        return false;
    for (; *key != '\0'; key++)
        if (iscntrl((unsigned char)*key))
            return false;
    return true;
}

static bool read_key(struct exchange *x)
{
    const char *key = request_header(&x->request, "Idempotency-Key");
    if (key == NULL)
        return true;
    if (!key_is_good(key)) {
        reply_error(&x->reply, (struct api_error){
                                   .status = 400,
                                   .message = "Invalid Idempotency-Key: 1 to 255 characters, none "
                                              "of them a control character."});
        return false;
    }
    x->use = (struct key_use){.account = x->attempt.account,
                              .key = x->attempt.key,
                              .method = x->attempt.method,
                              .path = x->attempt.path,
                              .fingerprint = x->attempt.fingerprint,
                              .request_id = x->attempt.request_id};
    return true;
}

static void refuse_other_url(struct exchange *x, const struct key_record *record)
{
    char *message = mem_printf("The idempotency key was first used for %s %s and cannot be used "
                               "for %s %s. Use another key for another request.",
                               record->method, record->path, x->use.method, x->use.path);
    reply_error(&x->reply,
                (struct api_error){.status = 400, .type = "idempotency_error", .message = message});
    free(message);
}

static void reply_known(struct exchange *x, enum key_verdict verdict, struct key_record *record)
{
    if (verdict == KEY_REPLAY) {
        reply_set(&x->reply, record->status, record->body);
        record->body = NULL;
        x->original_request = mem_strdup(record->request_id);
        x->replayed = true;
    } else if (verdict == KEY_OTHER_URL) {
        refuse_other_url(x, record);
    } else if (verdict == KEY_MISMATCH) {
        reply_error(&x->reply,
                    (struct api_error){.status = 400,
                                       .type = "idempotency_error",
                                       .message = "The idempotency key was first used with other "
                                                  "parameters. Send the same ones, or another key "
                                                  "for another request."});
    } else {
        reply_error(&x->reply,
                    (struct api_error){.status = 409,
                                       .code = "idempotency_key_in_use",
                                       .message = "Another request with the same idempotency key "
                                                  "is being executed. Try again in a moment."});
    }
}

/* In flight, but by nobody that lives: the database was full when its claim should have been
 * released. Nothing happened under it. */
static bool is_orphan(struct exchange *x, enum key_verdict verdict, const struct key_record *record)
{
    return verdict == KEY_IN_FLIGHT && exchange_find(x->core, record->request_id) == NULL;
}

static enum err look_up(struct exchange *x)
{
    enum key_verdict verdict;
    struct key_record record;
    enum err err = key_look_up(x->core->store, &x->use, clock_now_ms(x->core->clock),
                               x->core->key_ttl_ms, &verdict, &record);
    if (err == ERR_OK && verdict != KEY_NEW && !is_orphan(x, verdict, &record))
        reply_known(x, verdict, &record);
    key_record_release(&record);
    return err;
}

void gate_open(struct exchange *x)
{
    if (!read_key(x))
        return;
    enum err err = x->use.key == NULL ? ERR_OK : look_up(x);
    if (err == ERR_OK && !reply_decided(&x->reply) && x->operation->check != NULL)
        x->operation->check(x);
    if (err == ERR_OK && !reply_decided(&x->reply) && x->use.key != NULL) {
        err = key_claim(x->core->store, &x->use, clock_now_ms(x->core->clock));
        x->claimed = err == ERR_OK;
    }
    if (err != ERR_OK)
        fields_broken(x);
}

enum err gate_finish(struct exchange *x)
{
    if (!x->claimed)
        return ERR_OK;
    return key_finish(x->core->store, &x->use, x->reply.status, x->reply.body);
}

void gate_release(struct exchange *x)
{
    if (!x->claimed)
        return;
    x->claimed = false;
    /* When the database cannot write, the claim stays behind as an orphan, and the next use of the
     * key sees that nobody holds it. */
    if (key_release(x->core->store, &x->use) != ERR_OK)
        log_error("the database failed: %s", store_message(x->core->store));
}
