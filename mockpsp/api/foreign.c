#include "foreign.h"

#include "fields.h"
#include "foreign_faces.h"
#include "foreign_object.h"
#include "lag.h"
#include "mem.h"
#include "money.h"
#include "object_id.h"
#include "payment.h"
#include "plain.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct plan {
    const struct face *face;
    struct foreign_object object;
    struct charge charge; /* unused for an order */
};

static void free_plan(void *plan)
{
    foreign_object_release(&((struct plan *)plan)->object);
    charge_release(&((struct plan *)plan)->charge);
    free(plan);
}

static const struct face *face_of(const struct exchange *x)
{
    /* That is a word of the plain face, which shares a path with some of these. */
    if (params_get(&x->params, "operation_id") != NULL)
        return NULL;
    return face_find(x->request.path, &x->params);
}

static const struct face *face_at(const char *path)
{
    const struct face *face;
    for (int i = 0; (face = face_number(i)) != NULL; i++)
        if (face_has(face, path))
            return face;
    return NULL;
}

bool foreign_path(const char *path)
{
    return !plain_path(path) && face_at(path) != NULL;
}

bool foreign_speaks(const struct exchange *x)
{
    return face_of(x) != NULL;
}

enum reply_style foreign_path_style(const char *path)
{
    return face_at(path)->style;
}

void foreign_style(struct exchange *x)
{
    const struct face *face = face_of(x);
    if (face != NULL)
        x->reply.style = face->style;
}

/* --- what is asked for ------------------------------------------------------------------------ */

static const char *reference_of(const struct exchange *x, const struct face *face)
{
    for (size_t i = 0; i < 4 && face->references[i] != NULL; i++) {
        const char *text = params_get(&x->params, face->references[i]);
        if (text != NULL && *text != '\0')
            return text;
    }
    return NULL;
}

char *foreign_order(const struct exchange *x)
{
    const struct face *face = face_of(x);
    struct foreign_object object = {0};
    if (face != NULL)
        return mem_strdup(reference_of(x, face));
    if (x->object_id == NULL || (!foreign_path(x->request.path) && !plain_path(x->request.path)))
        return NULL;
    /* When the database fails, that is found out when the request is executed. */
    char *order = NULL;
    if (foreign_object_get(x->core->store, x->attempt.account, x->object_id, &object) == ERR_OK)
        order = mem_strdup(object.reference);
    foreign_object_release(&object);
    return order;
}

struct money {
    int64_t amount;
    char currency[4];
};

static bool read_currency(const struct exchange *x, const struct face *face, struct money *money)
{
    const char *code =
        face->currency == NULL ? face->home_currency : params_get(&x->params, face->currency);
    if (code == NULL || strlen(code) != 3)
        return false;
    for (size_t i = 0; i < 3; i++)
        money->currency[i] = (char)tolower((unsigned char)code[i]);
    return money_currency_known(money->currency);
}

/* NULL, or the parameter that is missing or no good. */
static const char *read_money(const struct exchange *x, const struct face *face,
                              struct money *money)
{
    const char *text = params_get(&x->params, face->amount);
    *money = (struct money){0};
    if (!read_currency(x, face, money))
        return face->currency;
    int decimals = face->decimal ? money_decimals(money->currency) : 0;
    if (text == NULL || !money_parse(text, decimals, &money->amount) || money->amount == 0)
        return face->amount;
    return NULL;
}

void foreign_describe(const struct exchange *x, struct attempt *attempt)
{
    struct money money;
    const struct face *face = face_of(x);
    if (face == NULL || read_money(x, face, &money) != NULL)
        return;
    attempt->amount = money.amount;
    mem_set_string(&attempt->currency, money.currency);
}

/* --- create ----------------------------------------------------------------------------------- */

static bool refuse(struct exchange *x, const char *code, const char *param, char *message)
{
    reply_error(&x->reply, (struct api_error){
                               .status = 400, .code = code, .param = param, .message = message});
    free(message);
    return false;
}

static bool check_money(struct exchange *x, const struct face *face, struct money *money)
{
    const char *wrong = read_money(x, face, money);
    if (wrong == NULL)
        return true;
    if (params_get(&x->params, wrong) == NULL)
        return refuse(x, "parameter_missing", wrong,
                      mem_printf("Missing required param: %s.", wrong));
    return refuse(x, "parameter_invalid", wrong,
                  mem_printf("Invalid %s: %s.", wrong,
                             wrong == face->currency ? "use a three-letter ISO code"
                             : face->decimal
                                 ? "a decimal above 0, with no more places than the currency has"
                                 : "a whole number of minor units above 0"));
}

/* What is asked for could be the opposite of a payment. */
static bool check_only(struct exchange *x, const struct face *face)
{
    const char *said = face->only == NULL ? NULL : params_get(&x->params, face->only);
    if (face->only == NULL || (said != NULL && strcmp(said, face->only_value) == 0))
        return true;
    return refuse(x, said == NULL ? "parameter_missing" : "parameter_invalid", face->only,
                  mem_printf("%s has to be %s: nothing else is to be had here.", face->only,
                             face->only_value));
}

/* Nothing here would take the money later. */
static bool check_steps(struct exchange *x, const struct face *face)
{
    if (face->step == NULL)
        return true;
    const char *said = params_get(&x->params, face->step);
    if (said == NULL ? !face->one_step_said : strcasecmp(said, face->two_steps) != 0)
        return true;
    return refuse(x, "parameter_invalid", face->step,
                  mem_printf("Payments in two steps are not to be had here: %s must not be %s%s.",
                             face->step, face->two_steps,
                             face->one_step_said ? ", which it is when left out" : ""));
}

static bool ends_with(const char *text, const char *end)
{
    size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Square's, and those of Braintree for each brand. */
static bool names_declined_card(const char *token)
{
    return strcmp(token, "cnon:card-nonce-declined") == 0 ||
           strncmp(token, "fake-processor-declined-", strlen("fake-processor-declined-")) == 0;
}

/* A number has to be that of a test card. A token is the provider's own, of which nobody here knows
 * more than that its tests pay with it, unless it is the name of a test card. */
static bool read_card(struct exchange *x, const struct face *face, const struct card **card)
{
    const char *token = face->token == NULL ? NULL : params_get(&x->params, face->token);
    *card = NULL;
    for (size_t i = 0; i < x->params.count && *card == NULL; i++)
        if (ends_with(x->params.list[i].name, "[number]") &&
            !fields_card(x, x->params.list[i].name, card))
            return false;
    if (*card == NULL && token != NULL && names_declined_card(token))
        *card = card_find("tok_chargeDeclined");
    else if (*card == NULL && token != NULL)
        *card = card_find(token);
    if (*card == NULL)
        *card = card_default();
    return true;
}

static bool read_reference(struct exchange *x, const struct face *face, char **reference)
{
    const char *text = reference_of(x, face);
    if (text != NULL && strlen(text) > 1000)
        return refuse(x, "parameter_invalid", face->references[0],
                      mem_strdup("The reference is too long: at most 1000 bytes."));
    *reference = mem_strdup(text);
    return true;
}

/* Its own words are few; what else a provider's library sends is let pass. */
void foreign_check_create(struct exchange *x)
{
    struct plan *plan = mem_alloc(sizeof *plan);
    struct money money;
    x->plan = plan;
    x->free_plan = free_plan;
    plan->face = face_of(x);
    if (plan->face == NULL) {
        refuse(x, NULL, "operation_id", mem_strdup("Received unknown parameter: operation_id"));
        return;
    }
    if (!check_money(x, plan->face, &money) || !check_only(x, plan->face) ||
        !check_steps(x, plan->face) || !read_card(x, plan->face, &plan->charge.card) ||
        !read_reference(x, plan->face, &plan->object.reference))
        return;
    plan->object.face = mem_strdup(plan->face->name);
    plan->object.amount = plan->charge.amount = money.amount;
    plan->object.currency = mem_strdup(money.currency);
    plan->charge.currency = mem_strdup(money.currency);
    plan->charge.description = mem_strdup(plan->object.reference);
    plan->charge.metadata = mem_strdup("{}");
}

/* --- the answer ------------------------------------------------------------------------------- */

/* As JSON; NULL stays NULL. To be freed. */
static char *quoted(const char *text)
{
    if (text == NULL)
        return NULL;
    struct json *json = json_string(text);
    char *printed = json_print(json);
    json_free(json);
    return printed;
}

static char *quoted_and_freed(char *text)
{
    char *printed = quoted(text);
    free(text);
    return printed;
}

static char *in_capitals(const char *currency)
{
    char *code = mem_strdup(currency);
    for (char *c = code; *c != '\0'; c++)
        *c = (char)toupper((unsigned char)*c);
    return code;
}

static const char *word_for(const struct face *face, const struct charge *charge)
{
    if (charge->id == NULL || charge_paid(charge))
        return face->paid;
    return charge->state == CHARGE_PENDING ? face->pending : face->failed;
}

/* As Braintree writes an issuer's word: "1000" is approved, 2000 to 2999 declined. Source:
 * Braintree, "Processor responses". */
static const char *processor_code(const struct charge *charge)
{
    static const struct {
        const char *decline, *code;
    } codes[] = {{"insufficient_funds", "2001"}, {"expired_card", "2004"},
                 {"incorrect_number", "2005"},   {"incorrect_cvc", "2010"},
                 {"lost_card", "2012"},          {"stolen_card", "2013"},
                 {"fraudulent", "2014"},         {"processing_error", "3000"}};
    if (charge->decline_code == NULL)
        return "1000";
    for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
        if (strcmp(codes[i].decline, charge->decline_code) == 0)
            return codes[i].code;
    return "2000";
}

/* What $NAME stands for, as JSON, to be freed; NULL when there is nothing to say. CHARGE has no id
 * when OBJECT is an order. */
static char *value_of(const char *name, const struct face *face,
                      const struct foreign_object *object, const struct charge *charge)
{
    char *decimal = money_print(object->amount, money_decimals(object->currency));
    char *value = NULL;
    if (strcmp(name, "id") == 0)
        value = quoted(object->id);
    else if (strcmp(name, "status") == 0)
        value = quoted(word_for(face, charge));
    else if (strcmp(name, "decline") == 0)
        value = quoted(charge->decline_code);
    else if (strcmp(name, "processor") == 0)
        value = quoted(processor_code(charge));
    else if (strcmp(name, "processed") == 0)
        value = quoted(charge->decline_code == NULL ? "Approved" : charge->decline_code);
    else if (strcmp(name, "succeeded") == 0)
        value = mem_strdup(charge->id != NULL && charge_paid(charge) ? "true" : "false");
    else if (strcmp(name, "amount") == 0)
        value = mem_printf("%" PRId64, object->amount);
    else if (strcmp(name, "number") == 0)
        value = mem_strdup(decimal);
    else if (strcmp(name, "decimal") == 0)
        value = quoted(decimal);
    else if (strcmp(name, "currency") == 0)
        value = quoted_and_freed(in_capitals(object->currency));
    else if (strcmp(name, "reference") == 0)
        value = quoted(object->reference);
    else if (strcmp(name, "time") == 0)
        value = quoted_and_freed(plain_time(object->created));
    else if (strcmp(name, "unix") == 0)
        value = mem_printf("%" PRId64, object->created);
    free(decimal);
    return value;
}

/* Takes back the name of a member that has turned out to have no value, and the comma before it. */
static void drop_member(struct buf *out)
{
    while (out->len > 0 && out->data[out->len - 1] != ',')
        out->len--;
    out->len -= out->len > 0;
    out->data[out->len] = '\0';
}

static bool is_declined(const struct foreign_object *object, const struct charge *charge)
{
    return object->charge != NULL && charge->state == CHARGE_FAILED;
}

/* What stands in TEMPLATE, words replaced by their values. */
static char *filled_in(const char *template, const struct face *face,
                       const struct foreign_object *object, const struct charge *charge)
{
    struct buf out = {0};
    const char *at = template;
    while (*at != '\0') {
        size_t literal = strcspn(at, "$");
        buf_add(&out, at, literal);
        at += literal;
        if (*at == '\0')
            break;
        size_t length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz");
        char *name = mem_strndup(at + 1, length);
        char *value = value_of(name, face, object, charge);
        if (value == NULL)
            drop_member(&out);
        else
            buf_add_string(&out, value);
        free(value);
        free(name);
        at += 1 + length;
    }
    return buf_take(&out);
}

static char *body_of(const struct face *face, const struct foreign_object *object,
                     const struct charge *charge)
{
    return filled_in(face->body, face, object, charge);
}

/* Where a decline is an error, that is said instead. */
static void reply_made(struct exchange *x, const struct face *face,
                       const struct foreign_object *object, const struct charge *charge)
{
    bool declined = is_declined(object, charge);
    bool other = declined && face->declined_body != NULL;
    reply_set(&x->reply, declined && face->declined != 0 ? face->declined : face->status,
              filled_in(other ? face->declined_body : face->body, face, object, charge));
}

enum err foreign_create(struct exchange *x)
{
    struct plan *plan = x->plan;
    const struct face *face = plan->face;
    struct foreign_object *object = &plan->object;
    struct charge *charge = &plan->charge;
    if (!face->order_only) {
        enum err err = payment_take(x, charge);
        if (err != ERR_OK)
            return err;
        object->charge = mem_strdup(charge->id);
    }
    /* An id of the provider's own kind; that of a payment reads like its charge's. */
    object->created = clock_now_s(x->core->clock);
    object->id = object->charge == NULL
                     ? mem_strdup(object_id_make(&x->ids, face->prefix).text)
                     : mem_printf("%s%s", face->prefix, object->charge + strlen("ch_"));
    enum err err = foreign_object_insert(x->core->store, x->attempt.account, object);
    reply_made(x, face, object, charge);
    return err;
}

/* --- read ------------------------------------------------------------------------------------- */

/* The object of that id if the path is one of its face, as text, to be freed. */
static enum err find(struct exchange *x, const char *id, char **body, int64_t *created)
{
    struct foreign_object object;
    struct charge charge = {0};
    enum err err = foreign_object_get(x->core->store, x->attempt.account, id, &object);
    const struct face *face = err == ERR_OK ? face_named(object.face) : NULL;
    if (err == ERR_OK && (face == NULL || !face_has(face, x->request.path)))
        err = ERR_NOT_FOUND;
    if (err == ERR_OK && object.charge != NULL)
        err = charge_get(x->core->store, x->attempt.account, object.charge, &charge);
    if (err == ERR_OK) {
        *body = body_of(face, &object, &charge);
        *created = object.created;
    }
    charge_release(&charge);
    foreign_object_release(&object);
    return err;
}

enum err foreign_render(struct exchange *x, const char *id, struct json **object)
{
    char *body = NULL;
    int64_t created;
    enum err err = find(x, id, &body, &created);
    if (err == ERR_OK)
        err = json_parse(body, strlen(body), object, NULL);
    free(body);
    return err;
}

enum err foreign_retrieve(struct exchange *x)
{
    char *body = NULL;
    int64_t created = 0;
    enum err err = find(x, x->object_id, &body, &created);
    if (err == ERR_OK && lag_hides(x, x->object_id, created))
        err = ERR_NOT_FOUND;
    if (err == ERR_OK)
        reply_set(&x->reply, 200, mem_strdup(body));
    free(body);
    if (err != ERR_NOT_FOUND)
        return err;
    fields_missing(x, "payment", "id", x->object_id);
    return ERR_OK;
}
