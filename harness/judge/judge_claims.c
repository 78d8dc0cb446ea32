#include "judge_claims.h"

#include "buf.h"
#include "claim.h"
#include "deed.h"
#include "json.h"
#include "mem.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static enum err add_amount(const struct json *json, struct judge_claims *claims,
                           struct err_text *why)
{
    const char *order = json_get_string(json, "order");
    const char *currency = json_get_string(json, "currency");
    int64_t amount = json_get_int(json, "amount", -1);
    if (json_get(json, "amount") == NULL)
        return ERR_OK;
    if (amount < 0 || currency == NULL)
        return err_say(why, ERR_INVALID,
                       "amount is a whole number of minor units, and a currency goes with it");
    const struct order *known = orders_find(&claims->orders, order);
    if (known == NULL)
        orders_add(&claims->orders, order, amount, currency);
    else if (known->amount != amount || strcasecmp(known->currency, currency) != 0)
        return err_say(why, ERR_INVALID, "order '%s' had another amount before", order);
    return ERR_OK;
}

static enum err add_outcome(const char *line, struct judge_claims *claims, struct err_text *why)
{
    struct claim claim;
    enum err err = claim_read(line, &claim, why);
    if (err != ERR_OK)
        return err == ERR_NOT_FOUND ? ERR_OK : err;
    struct event event = event_new(EVENT_CLAIM, 0, 0);
    event.order = mem_strdup(claim.order);
    json_set_string(event.data, "outcome", outcome_name(claim.outcome));
    json_maybe_string(event.data, "payment", claim.payment);
    json_set_string(event.data, "by", "line");
    history_add(&claims->events, event);
    claim_release(&claim);
    return ERR_OK;
}

/* When it was done is not said: it is judged by how things stand in the end. */
static enum err add_effect(const char *line, struct judge_claims *claims, struct err_text *why)
{
    struct deed deed;
    enum err err = deed_read(line, &deed, why);
    if (err != ERR_OK)
        return err == ERR_NOT_FOUND ? ERR_OK : err;
    struct event event = event_new(EVENT_DONE, 0, 0);
    event.order = mem_strdup(deed.order);
    json_set_string(event.data, "effect", deed.effect);
    json_maybe_string(event.data, "event", deed.event);
    if (deed.undone)
        json_set_bool(event.data, "undone", true);
    json_set_bool(event.data, "timeless", true);
    history_add(&claims->events, event);
    deed_release(&deed);
    return ERR_OK;
}

static enum err add_line(const char *line, struct judge_claims *claims, struct err_text *why)
{
    struct json *json = NULL;
    enum err err = ERR_OK;
    if (json_parse(line, strlen(line), &json, NULL) != ERR_OK)
        return err_say(why, ERR_INVALID, "it is no JSON");
    if (json_get_string(json, "order") == NULL)
        err = err_say(why, ERR_INVALID, "it names no \"order\"");
    else if (json_get(json, "outcome") == NULL && json_get(json, "amount") == NULL &&
             json_get(json, "effect") == NULL)
        err = err_say(why, ERR_INVALID,
                      "it has neither an \"outcome\" nor an \"amount\" nor an \"effect\"");
    if (err == ERR_OK)
        err = add_amount(json, claims, why);
    if (err == ERR_OK)
        err = add_outcome(line, claims, why);
    if (err == ERR_OK)
        err = add_effect(line, claims, why);
    json_free(json);
    return err;
}

enum err judge_claims_read(const char *file, struct judge_claims *claims, struct err_text *why)
{
    char *line = NULL;
    size_t room = 0;
    enum err err = ERR_OK;
    *claims = (struct judge_claims){0};
    FILE *stream = strcmp(file, "-") == 0 ? stdin : fopen(file, "re");
    if (stream == NULL)
        return err_say(why, errno == ENOENT ? ERR_NOT_FOUND : ERR_IO, "%s: cannot open it: %s",
                       file, strerror(errno));
    for (int number = 1; err == ERR_OK && getline(&line, &room, stream) >= 0; number++) {
        struct err_text inner = {0};
        if (line[strspn(line, " \t\r\n")] == '\0')
            continue;
        if (add_line(line, claims, &inner) != ERR_OK)
            err = err_say(why, ERR_INVALID, "%s:%d: %s", file, number, inner.text);
    }
    if (err == ERR_OK && ferror(stream) != 0)
        err = err_say(why, ERR_IO, "%s: cannot read it: %s", file, strerror(errno));
    free(line);
    if (stream != stdin)
        fclose(stream);
    if (err != ERR_OK)
        judge_claims_release(claims);
    return err;
}

void judge_claims_release(struct judge_claims *claims)
{
    orders_release(&claims->orders);
    history_release(&claims->events);
}
