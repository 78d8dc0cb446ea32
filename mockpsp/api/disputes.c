/* /v1/disputes, and how they come to be. */
#include "disputes.h"

#include "balance.h"
#include "check.h"
#include "evidence.h"
#include "expand.h"
#include "fields.h"
#include "listing.h"
#include "mem.h"
#include "object_id.h"
#include "objects.h"
#include "render.h"
#include "resources.h"

#include <stdlib.h>
#include <string.h>

static struct json *parse(const char *text)
{
    struct json *json;
    CHECK(json_parse(text, strlen(text), &json, NULL) == ERR_OK); /* we wrote it */
    return json;
}

/* --- as clients see them ---------------------------------------------------------------------- */

static bool past_due(const struct core *core, const struct dispute *dispute)
{
    return clock_now_s(core->clock) > dispute_due_by(dispute);
}

static void add_evidence(const struct core *core, const struct dispute *dispute, struct json *json)
{
    struct json *given = parse(dispute->evidence);
    struct json *details = json_object();
    json_set_int(details, "due_by", dispute_due_by(dispute));
    json_set_bool(details, "has_evidence", json_count(given) > 0);
    json_set_bool(details, "past_due", past_due(core, dispute));
    json_set_int(details, "submission_count", dispute->submitted);
    json_set(json, "evidence", evidence_render(given));
    json_set(json, "evidence_details", details);
    json_free(given);
}

/* The money that went, and the money that came back. */
static enum err push_movement(struct core *core, const char *account, const char *id,
                              struct json *list)
{
    struct movement movement;
    if (id == NULL)
        return ERR_OK;
    enum err err = movement_get(core->store, account, id, &movement);
    if (err == ERR_OK)
        json_push(list, render_movement(&movement));
    movement_release(&movement);
    return err;
}

enum err disputes_render(struct core *core, const char *account, const struct dispute *dispute,
                         struct json **json)
{
    struct json *movements = json_array();
    *json = json_object();
    json_set_string(*json, "id", dispute->id);
    json_set_string(*json, "object", "dispute");
    json_set_int(*json, "amount", dispute->amount);
    json_set(*json, "balance_transactions", movements);
    json_set_string(*json, "charge", dispute->charge);
    json_set_int(*json, "created", dispute->created);
    json_set_string(*json, "currency", dispute->currency);
    add_evidence(core, dispute, *json);
    json_set_bool(*json, "is_charge_refundable", dispute->status == DISPUTE_WON);
    json_set_bool(*json, "livemode", false);
    json_set(*json, "metadata", parse(dispute->metadata));
    json_set_string(*json, "payment_intent", dispute->intent);
    json_set_string(*json, "reason", dispute->reason);
    json_set_string(*json, "status", dispute_status_name(dispute->status));
    enum err err = push_movement(core, account, dispute->transaction, movements);
    if (err == ERR_OK)
        err = push_movement(core, account, dispute->reinstatement, movements);
    if (err == ERR_OK)
        return ERR_OK;
    json_free(*json);
    *json = NULL;
    return err;
}

static enum err reply_dispute(struct exchange *x, const struct dispute *dispute)
{
    struct json *json;
    enum err err = disputes_render(x->core, x->attempt.account, dispute, &json);
    if (err == ERR_OK)
        err = expand_apply(x, json, false);
    if (err == ERR_OK)
        reply_object(&x->reply, 200, json);
    else
        json_free(json);
    return err;
}

/* --- what is told of them --------------------------------------------------------------------- */

static enum err tell(const struct cause *cause, const char *type, const struct dispute *dispute)
{
    struct json *json;
    enum err err = disputes_render(cause->core, cause->account, dispute, &json);
    return err == ERR_OK ? cause_tell(cause, type, json) : err;
}

static enum err note_effect(const struct cause *cause, const char *object,
                            const struct dispute *dispute, const char *order)
{
    struct json *data = json_object();
    json_set_string(data, "object", object);
    json_set_string(data, "id", dispute->id);
    json_set_int(data, "amount", dispute->amount);
    json_set_string(data, "currency", dispute->currency);
    json_set_string(data, "charge", dispute->charge);
    json_maybe_string(data, "payment_intent", dispute->intent);
    return cause_effect(cause, order, data);
}

/* --- opening ---------------------------------------------------------------------------------- */

static struct dispute dispute_of(struct cause *cause, const struct charge *charge)
{
    return (struct dispute){.id = mem_strdup(object_id_make(cause->ids, "du_").text),
                            .created = clock_now_s(cause->core->clock),
                            .amount = charge->captured,
                            .currency = mem_strdup(charge->currency),
                            .charge = mem_strdup(charge->id),
                            .intent = mem_strdup(charge->intent),
                            .status = DISPUTE_NEEDS_RESPONSE,
                            .reason = mem_strdup(dispute_reason(charge->card)),
                            .evidence = mem_strdup("{}"),
                            .metadata = mem_strdup("{}"),
                            .transaction = mem_strdup(object_id_make(cause->ids, "txn_").text)};
}

enum err disputes_follow(struct cause *cause, struct charge *charge)
{
    if (!charge_paid(charge) || dispute_reason(charge->card) == NULL)
        return ERR_OK;
    struct dispute dispute = dispute_of(cause, charge);
    enum err err = dispute_insert(cause->core->store, cause->account, &dispute);
    if (err == ERR_OK)
        err = note_effect(cause, "dispute", &dispute, charge->order);
    if (err == ERR_OK)
        err = tell(cause, "charge.dispute.created", &dispute);
    if (err == ERR_OK)
        err = tell(cause, "charge.dispute.funds_withdrawn", &dispute);
    mem_set_string(&charge->dispute, dispute.id);
    dispute_release(&dispute);
    return err;
}

/* --- arguing, and giving in ------------------------------------------------------------------- */

struct plan {
    struct json *evidence; /* what the request hands in; a value of "" takes it out */
    bool submit;
};

static void free_plan(void *plan)
{
    json_free(((struct plan *)plan)->evidence);
    free(plan);
}

static void refuse(struct exchange *x, const char *param, const char *message)
{
    reply_error(&x->reply, (struct api_error){.status = 400, .param = param, .message = message});
}

static void check_exists(struct exchange *x)
{
    struct dispute dispute;
    enum err err = dispute_get(x->core->store, x->attempt.account, x->object_id, &dispute);
    dispute_release(&dispute);
    if (err == ERR_NOT_FOUND)
        fields_not_there(x, "dispute");
    else if (err != ERR_OK)
        fields_broken(x);
}

void disputes_check_update(struct exchange *x)
{
    static const char *const known[] = {"evidence", "metadata", "submit", "expand", NULL};
    struct plan *plan = x->plan = mem_alloc(sizeof *plan);
    x->free_plan = free_plan;
    plan->evidence = json_object();
    if (!fields_only(x, known) || !evidence_read(x, plan->evidence))
        return;
    plan->submit = json_count(plan->evidence) > 0;
    char *metadata = NULL;
    if (fields_bool(x, "submit", &plan->submit) && fields_metadata(x, &metadata) &&
        expand_check(x, "dispute", false))
        check_exists(x);
    free(metadata); /* read again when it is written */
}

/* The test bank reads one field, and decides at once when it holds one of two words. Source:
 * Stripe, "Testing: Evidence". */
static void let_bank_decide(struct dispute *dispute)
{
    struct json *evidence = parse(dispute->evidence);
    const char *text = json_get_string(evidence, "uncategorized_text");
    if (text != NULL && strcmp(text, "winning_evidence") == 0)
        dispute_move(dispute, DISPUTE_WON);
    else if (text != NULL && strcmp(text, "losing_evidence") == 0)
        dispute_move(dispute, DISPUTE_LOST);
    json_free(evidence);
}

static enum err reinstate(struct cause *cause, struct dispute *dispute)
{
    struct core *core = cause->core;
    struct charge charge;
    mem_set_string(&dispute->reinstatement, object_id_make(cause->ids, "txn_").text);
    enum err err =
        dispute_reinstate(core->store, cause->account, dispute, clock_now_s(core->clock));
    if (err == ERR_OK)
        err = charge_get(core->store, cause->account, dispute->charge, &charge);
    if (err != ERR_OK)
        return err;
    err = note_effect(cause, "dispute_reversal", dispute, charge.order);
    charge_release(&charge);
    return err == ERR_OK ? tell(cause, "charge.dispute.funds_reinstated", dispute) : err;
}

/* DISPUTE as it was: it has not been written yet. */
static enum err render_before(struct cause *cause, const struct dispute *dispute,
                              struct json **json)
{
    struct dispute before;
    enum err err = dispute_get(cause->core->store, cause->account, dispute->id, &before);
    if (err == ERR_OK)
        err = disputes_render(cause->core, cause->account, &before, json);
    dispute_release(&before);
    return err;
}

static enum err tell_change(struct cause *cause, const struct dispute *dispute,
                            const struct json *before)
{
    struct json *json;
    enum err err = disputes_render(cause->core, cause->account, dispute, &json);
    return err == ERR_OK ? cause_tell_change(cause, "charge.dispute.updated", before, json) : err;
}

/* Writes what has become of DISPUTE, which was at BEFORE, and tells of it. */
static enum err conclude(struct cause *cause, struct dispute *dispute, enum dispute_status before)
{
    struct json *was = NULL;
    bool moved = dispute->status != before;
    bool over = moved && (dispute->status == DISPUTE_WON || dispute->status == DISPUTE_LOST);
    enum err err = render_before(cause, dispute, &was);
    if (err == ERR_OK)
        err = dispute_update(cause->core->store, dispute);
    if (err == ERR_OK && moved && dispute->status == DISPUTE_WON)
        err = reinstate(cause, dispute);
    if (err == ERR_OK)
        err =
            over ? tell(cause, "charge.dispute.closed", dispute) : tell_change(cause, dispute, was);
    json_free(was);
    return err;
}

static enum err conclude_and_reply(struct exchange *x, struct dispute *dispute,
                                   enum dispute_status before)
{
    struct cause cause;
    cause_request(&cause, x);
    enum err err = conclude(&cause, dispute, before);
    return err == ERR_OK ? reply_dispute(x, dispute) : err;
}

static void take_evidence(struct dispute *dispute, const struct json *given)
{
    struct json *before = parse(dispute->evidence);
    struct json *after = evidence_merge(before, given);
    free(dispute->evidence);
    dispute->evidence = json_print(after);
    json_free(before);
    json_free(after);
}

/* False after refusing. */
static bool may_argue(struct exchange *x, const struct dispute *dispute)
{
    if (dispute->status != DISPUTE_NEEDS_RESPONSE)
        refuse(x, "evidence", "This dispute takes no evidence any more.");
    else if (past_due(x->core, dispute))
        refuse(x, "evidence", "The time to respond to this dispute is over.");
    return !reply_decided(&x->reply);
}

static enum err update_loaded(struct exchange *x, struct dispute *dispute)
{
    const struct plan *plan = x->plan;
    enum dispute_status before = dispute->status;
    bool argues = plan->submit || json_count(plan->evidence) > 0;
    if ((argues && !may_argue(x, dispute)) || !fields_metadata_merge(x, &dispute->metadata))
        return ERR_OK;
    take_evidence(dispute, plan->evidence);
    if (plan->submit) {
        dispute->submitted++;
        dispute_move(dispute, DISPUTE_UNDER_REVIEW);
        let_bank_decide(dispute);
    }
    return conclude_and_reply(x, dispute, before);
}

static enum err close_loaded(struct exchange *x, struct dispute *dispute)
{
    if (dispute->status != DISPUTE_NEEDS_RESPONSE) {
        refuse(x, NULL, "Only a dispute that needs a response can be closed.");
        return ERR_OK;
    }
    dispute_move(dispute, DISPUTE_LOST);
    return conclude_and_reply(x, dispute, DISPUTE_NEEDS_RESPONSE);
}

static enum err with_dispute(struct exchange *x,
                             enum err (*act)(struct exchange *x, struct dispute *dispute))
{
    struct dispute dispute;
    enum err err = dispute_get(x->core->store, x->attempt.account, x->object_id, &dispute);
    if (err == ERR_OK)
        err = act(x, &dispute);
    dispute_release(&dispute);
    return err;
}

enum err disputes_update(struct exchange *x)
{
    return with_dispute(x, update_loaded);
}

void disputes_check_close(struct exchange *x)
{
    static const char *const known[] = {"expand", NULL};
    if (fields_only(x, known) && expand_check(x, "dispute", false))
        check_exists(x);
}

enum err disputes_close(struct exchange *x)
{
    return with_dispute(x, close_loaded);
}

/* --- the bank --------------------------------------------------------------------------------- */

static enum err decide(struct core *core, const char *account, const char *id, bool won,
                       struct json **json)
{
    struct cause cause;
    struct dispute dispute;
    enum err err = cause_nobody(&cause, core, account);
    if (err == ERR_OK)
        err = dispute_get(core->store, account, id, &dispute);
    if (err != ERR_OK)
        return err;
    enum dispute_status before = dispute.status;
    if (before != DISPUTE_UNDER_REVIEW)
        err = ERR_INVALID;
    if (err == ERR_OK) {
        dispute_move(&dispute, won ? DISPUTE_WON : DISPUTE_LOST);
        err = conclude(&cause, &dispute, before);
    }
    if (err == ERR_OK)
        err = disputes_render(core, account, &dispute, json);
    dispute_release(&dispute);
    return err;
}

enum err disputes_decide(struct core *core, const char *account, const char *id, bool won,
                         struct json **json)
{
    char *owner = NULL;
    *json = NULL;
    enum err err = store_begin(core->store);
    if (err == ERR_OK)
        err = dispute_owner(core->store, account, id, &owner);
    if (err == ERR_OK)
        err = decide(core, owner, id, won, json);
    if (err == ERR_OK)
        err = journal_commit(core->journal);
    if (err != ERR_OK) {
        journal_rollback(core->journal);
        json_free(*json);
        *json = NULL;
    }
    free(owner);
    return err;
}

/* --- reading ---------------------------------------------------------------------------------- */

enum err disputes_retrieve(struct exchange *x)
{
    return objects_retrieve(x, "dispute", "du_");
}

static enum err look_up(struct exchange *x, const void *dispute, struct json **json)
{
    return disputes_render(x->core, x->attempt.account, dispute, json);
}

static void release(void *dispute)
{
    dispute_release(dispute);
}

static enum err fetch(struct exchange *x, struct page *page, void *list, int *count)
{
    struct dispute_filter filter = {0};
    if (!fields_text(x, "charge", 255, &filter.charge) ||
        !fields_text(x, "payment_intent", 255, &filter.intent))
        return ERR_OK;
    return dispute_list(x->core->store, x->attempt.account, &filter, page, list, count);
}

enum err disputes_list(struct exchange *x)
{
    return listing_show(x, &(struct listing){.kind = "dispute",
                                             .filters = {"charge", "payment_intent"},
                                             .size = sizeof(struct dispute),
                                             .fetch = fetch,
                                             .look_up = look_up,
                                             .release = release});
}
