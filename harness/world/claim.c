#include "claim.h"

#include "json.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

enum outcome claim_of_end(struct proc_end end)
{
    if (end.signalled || end.code == CLAIM_EXIT_UNKNOWN)
        return OUTCOME_UNKNOWN;
    return end.code == 0 ? OUTCOME_SUCCEEDED : OUTCOME_FAILED;
}

static enum err fill(const struct json *json, struct claim *claim, struct err_text *why)
{
    const char *order = json_get_string(json, "order");
    const char *outcome = json_get_string(json, "outcome");
    const struct json *payment = json_get(json, "payment");
    if (order == NULL)
        return err_say(why, ERR_INVALID, "it has an outcome but no \"order\"");
    if (outcome == NULL || !outcome_parse(outcome, &claim->outcome))
        return err_say(why, ERR_INVALID,
                       "its \"outcome\" is none of \"succeeded\", \"failed\", \"unknown\"");
    if (payment != NULL && !json_is_null(payment) && json_as_string(payment) == NULL)
        return err_say(why, ERR_INVALID, "its \"payment\" is no text");
    claim->order = mem_strdup(order);
    claim->payment = mem_strdup(json_as_string(payment));
    return ERR_OK;
}

enum err claim_read(const char *line, struct claim *claim, struct err_text *why)
{
    struct json *json;
    enum err err = ERR_NOT_FOUND;
    *claim = (struct claim){0};
    line += strspn(line, " \t\r\f\v");
    if (line[0] != '{' || strstr(line, "outcome") == NULL)
        return ERR_NOT_FOUND;
    if (json_parse(line, strlen(line), &json, NULL) != ERR_OK)
        return err_say(why, ERR_INVALID, "it is no JSON");
    /* A structured log line is no claim, whatever else it says. */
    if (json_get(json, "outcome") != NULL)
        err = fill(json, claim, why);
    if (err != ERR_OK)
        claim_release(claim);
    json_free(json);
    return err;
}

void claim_release(struct claim *claim)
{
    free(claim->order);
    free(claim->payment);
    *claim = (struct claim){0};
}
