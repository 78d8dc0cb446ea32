#include "evidence.h"

#include "fields.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

#define EVIDENCE_LONGEST 20000

/* What may be handed in. Source: Stripe, "The Dispute object". */
static const char *const EVIDENCE[] = {"access_activity_log",
                                       "billing_address",
                                       "cancellation_policy",
                                       "cancellation_policy_disclosure",
                                       "cancellation_rebuttal",
                                       "customer_communication",
                                       "customer_email_address",
                                       "customer_name",
                                       "customer_purchase_ip",
                                       "customer_signature",
                                       "duplicate_charge_documentation",
                                       "duplicate_charge_explanation",
                                       "duplicate_charge_id",
                                       "product_description",
                                       "receipt",
                                       "refund_policy",
                                       "refund_policy_disclosure",
                                       "refund_refusal_explanation",
                                       "service_date",
                                       "service_documentation",
                                       "shipping_address",
                                       "shipping_carrier",
                                       "shipping_date",
                                       "shipping_documentation",
                                       "shipping_tracking_number",
                                       "uncategorized_file",
                                       "uncategorized_text"};

#define EVIDENCE_COUNT (sizeof EVIDENCE / sizeof EVIDENCE[0])

struct json *evidence_render(const struct json *given)
{
    struct json *json = json_object();
    for (size_t i = 0; i < EVIDENCE_COUNT; i++)
        json_set_string(json, EVIDENCE[i], json_get_string(given, EVIDENCE[i]));
    return json;
}

static bool read_all(struct exchange *x, struct json *evidence)
{
    for (size_t i = 0; i < EVIDENCE_COUNT; i++) {
        char *name = mem_printf("evidence[%s]", EVIDENCE[i]);
        const char *given = params_get(&x->params, name), *text = NULL;
        bool good = fields_text(x, name, EVIDENCE_LONGEST, &text);
        if (good && given != NULL)
            json_set_string(evidence, EVIDENCE[i], given);
        free(name);
        if (!good)
            return false;
    }
    return true;
}

/* Unknown members of evidence are unknown parameters. */
static bool known_only(struct exchange *x)
{
    for (size_t i = 0; i < x->params.count; i++) {
        const struct param *param = &x->params.list[i];
        if (!params_under(param, "evidence"))
            continue;
        char *member = params_inner_name(param, "evidence");
        bool known = false;
        for (size_t k = 0; k < EVIDENCE_COUNT && member != NULL; k++)
            known = known || strcmp(EVIDENCE[k], member) == 0;
        free(member);
        if (known)
            continue;
        reply_error(&x->reply, (struct api_error){.status = 400,
                                                  .code = "parameter_unknown",
                                                  .param = param->name,
                                                  .message = "There is no such evidence."});
        return false;
    }
    return true;
}

bool evidence_read(struct exchange *x, struct json *evidence)
{
    return known_only(x) && read_all(x, evidence);
}

struct json *evidence_merge(const struct json *before, const struct json *given)
{
    struct json *after = json_object();
    for (size_t i = 0; i < EVIDENCE_COUNT; i++) {
        const char *text = json_get_string(given, EVIDENCE[i]);
        if (text == NULL)
            text = json_get_string(before, EVIDENCE[i]);
        if (text != NULL && *text != '\0')
            json_set_string(after, EVIDENCE[i], text);
    }
    return after;
}
