/* Faults that contradict themselves: each can be read, and none could ever strike, or not as often
 * as it says. A fault that never strikes makes a run inconclusive, so it is better said at once. */
#include "duration.h"
#include "fault_rule.h"

#include <inttypes.h>

static enum err check_time(const struct fault_rule *rule, struct err_text *why)
{
    if (rule->to_ms == 0 || rule->from_ms < rule->to_ms)
        return ERR_OK;
    return err_say(why, ERR_INVALID, "it ends (to = %s) before it begins (from = %s)",
                   duration_format(rule->to_ms).text, duration_format(rule->from_ms).text);
}

/* What reads moves no money and commits nothing. */
static enum err check_target(const struct fault_rule *rule, struct err_text *why)
{
    if (!target_list_only(&rule->on, "GET"))
        return ERR_OK;
    if (rule->pays)
        return err_say(why, ERR_INVALID, "no GET pays: leave pays out, or say on = \"POST *\"");
    if (action_list_has(&rule->acts, ACTION_DECLINE))
        return err_say(why, ERR_INVALID, "no issuer is asked at a GET: say on = \"POST *\"");
    if (rule->at != FAILPOINT_BEFORE_COMMIT && rule->at != FAILPOINT_AFTER_COMMIT)
        return ERR_OK;
    return err_say(why, ERR_INVALID,
                   "a GET never comes to %s: it commits nothing, so say at = \"received\" or "
                   "\"responding\"",
                   failpoint_name(rule->at));
}

static enum err check_stale(const struct fault_rule *rule, struct err_text *why)
{
    if (rule->at != FAILPOINT_RECEIVED || !action_list_has(&rule->acts, ACTION_STALE) ||
        target_list_may_be(&rule->on, "GET"))
        return ERR_OK;
    return err_say(why, ERR_INVALID,
                   "stale at received is for reads (on = \"GET *\"): for a write it is at "
                   "after_commit");
}

/* A webhook is no request: it brings no key, and we open its connection. */
static enum err check_webhook(const struct fault_rule *rule, struct err_text *why)
{
    static const char *const pers[PER_COUNT] = {
        [PER_KEY] = "per = \"key\"", [PER_CONNECTION] = "per = \"connection\""};
    const char *word = rule->warmth == WARMTH_ANY ? pers[rule->per] : "warm";
    if (rule->pays)
        word = "pays";
    if (rule->at != FAILPOINT_WEBHOOK || word == NULL)
        return ERR_OK;
    return err_say(why, ERR_INVALID, "%s makes no sense at webhook: it speaks of a request", word);
}

static enum err check_burst(const struct fault_rule *rule, struct err_text *why)
{
    if (rule->burst.of == 0)
        return ERR_OK;
    if (rule->burst.strikes >= rule->burst.of)
        return err_say(why, ERR_INVALID,
                       "burst: %" PRIu64 " of every %" PRIu64
                       " are all of them: of has to be above strikes",
                       rule->burst.strikes, rule->burst.of);
    if (rule->nth != 0)
        return err_say(why, ERR_INVALID, "nth and burst count the same requests: give one of them");
    return ERR_OK;
}

static uint64_t first_attempt(const struct fault_rule *rule)
{
    uint64_t number = 1;
    while ((rule->attempts >> (number - 1) & 1) == 0)
        number++;
    return number;
}

/* Of an order there are never more matching requests than of the run. */
static enum err check_nth(const struct fault_rule *rule, struct err_text *why)
{
    if (rule->nth == 0)
        return ERR_OK;
    if (rule->warmth == WARMTH_COLD && rule->per == PER_CONNECTION && rule->nth > 1)
        return err_say(why, ERR_INVALID,
                       "only the first request on a connection is cold, so it is never number "
                       "%" PRIu64,
                       rule->nth);
    if (rule->attempts == 0)
        return ERR_OK;
    bool fits = rule->per == PER_ORDER
                    ? rule->nth <= FAULT_MOST_ATTEMPTS && (rule->attempts >> (rule->nth - 1) & 1)
                    : rule->per != PER_RUN || rule->nth >= first_attempt(rule);
    if (fits)
        return ERR_OK;
    return err_say(why, ERR_INVALID,
                   "number %" PRIu64 " %s is never one of those that attempt names: both count "
                   "the matching requests, so leave one of them out",
                   rule->nth, per_of(rule->per));
}

/* How many requests it can mean at most; 0: no limit. */
static uint64_t most_meant(const struct fault_rule *rule)
{
    uint64_t attempts = 0;
    if (rule->nth != 0 && rule->per == PER_RUN)
        return 1;
    for (int i = 0; rule->order != NULL && i < FAULT_MOST_ATTEMPTS; i++)
        attempts += rule->attempts >> i & 1;
    return attempts;
}

static enum err check_times(const struct fault_rule *rule, struct err_text *why)
{
    uint64_t most = most_meant(rule);
    if (most == 0 || rule->times <= most)
        return ERR_OK;
    return err_say(why, ERR_INVALID,
                   "it means %" PRIu64 " request%s, so it cannot strike %" PRIu64
                   " times: leave times out, or %s",
                   most, most == 1 ? "" : "s", rule->times,
                   rule->nth != 0 ? "nth" : "name more attempts");
}

enum err fault_rule_check(const struct fault_rule *rule, struct err_text *why)
{
    enum err err = check_time(rule, why);
    if (err == ERR_OK)
        err = check_target(rule, why);
    if (err == ERR_OK)
        err = check_stale(rule, why);
    if (err == ERR_OK)
        err = check_webhook(rule, why);
    if (err == ERR_OK)
        err = check_burst(rule, why);
    if (err == ERR_OK)
        err = check_nth(rule, why);
    return err == ERR_OK ? check_times(rule, why) : err;
}

/* Some actions look at the request, too. */
static bool is_narrow(const struct fault_rule *rule)
{
    return !target_list_is_any(&rule->on) || rule->pays || rule->order != NULL ||
           rule->warmth != WARMTH_ANY || rule->from_ms != 0 || rule->to_ms != 0 ||
           rule->attempts != 0 || rule->nth != 0 || rule->burst.of != 0 || rule->chance < 1 ||
           rule->times != 0 || rule->narrowed || action_list_has(&rule->acts, ACTION_DECLINE) ||
           action_list_has(&rule->acts, ACTION_PROCESSING) ||
           action_list_has(&rule->acts, ACTION_STALE);
}

bool fault_rule_hides(const struct fault_rule *rule, const struct fault_rule *other)
{
    return rule->at == other->at && !is_narrow(rule);
}
