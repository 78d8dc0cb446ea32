#include "vocabulary.h"

#include "action.h"
#include "client_vocabulary.h"
#include "failpoint.h"
#include "fault_field.h"
#include "queue_policy.h"
#include "spread.h"

#include <stdbool.h>
#include <string.h>

/* A list ends with a zeroed word. */
struct word {
    const char *name;
    const char *type;
    const char *what;
};

#define WORD(name, type, what)                         {#name, type, what},
#define WORD_OF_REQUEST(name, how, member, type, what) {#name, type, what},
static const struct word SCENARIO_FIELDS[] = {SCENARIO_FIELD_LIST(WORD){0}};
static const struct word FAULT_FIELDS[] = {
    FAULT_FIELD_LIST(WORD){"when", "fun(req: Request): boolean",
                           "the last word, before the request is counted"},
    {0}};
static const struct word REQUEST_FIELDS[] = {
    REQUEST_FIELD_LIST(WORD_OF_REQUEST){"at", "Failpoint", "the failpoint where it stands"}, {0}};
static const struct word WORLD_FIELDS[] = {
    WORLD_METHOD_LIST(WORD){"orders", "Order[]", "the orders of the run"}, {0}};
static const struct word ORDER_FIELDS[] = {ORDER_FIELD_LIST(WORD){0}};
static const struct word EVENT_FIELDS[] = {EVENT_FIELD_LIST(WORD){0}};
static const struct word CLIENT_FIELDS[] = {CLIENT_FIELD_LIST(WORD){0}};
static const struct word QUEUE_FIELDS[] = {QUEUE_FIELD_LIST(WORD){0}};
static const struct word BACKOFF_FIELDS[] = {BACKOFF_FIELD_LIST(WORD){0}};
static const struct word READY_FIELDS[] = {READY_FIELD_LIST(WORD){0}};
static const struct word CLAIM_FIELDS[] = {CLAIM_FIELD_LIST(WORD){0}};
static const struct word CLIENT_ORDER_FIELDS[] = {CLIENT_ORDER_FIELD_LIST(WORD){0}};
static const struct word HTTP_FIELDS[] = {HTTP_FIELD_LIST(WORD){0}};
static const struct word ANSWER_FIELDS[] = {ANSWER_FIELD_LIST(WORD){0}};
#undef WORD
#undef WORD_OF_REQUEST

/* The classes of the definitions, with what each is for. MAY: a field may be left out. */
static const struct class
{
    const char *name;
    const char *what;
    const struct word *fields;
    bool may;
} CLASSES[] = {
    {"Scenario", "what goes wrong, and how the run goes", SCENARIO_FIELDS, true},
    {"Fault", "what happens where, and to which requests", FAULT_FIELDS, true},
    {"Request", "a request at a failpoint; what is not known is nil", REQUEST_FIELDS, true},
    {"World", "one run, inside run(world)", WORLD_FIELDS, false},
    {"Order", "one business intent to charge once", ORDER_FIELDS, false},
    {"Event", "something that has happened, in history", EVENT_FIELDS, true},
    {"Client", "what a client is made of, in a file for --client", CLIENT_FIELDS, true},
    {"Queue", "how a job queue delivers again, in scenarios and client files", QUEUE_FIELDS, true},
    {"Backoff", "pauses that grow", BACKOFF_FIELDS, true},
    {"Ready", "when a client's service is ready", READY_FIELDS, true},
    {"Claim", "what a client says, from its database", CLAIM_FIELDS, true},
    {"ClientOrder", "an order in submit(order) and claim(order)", CLIENT_ORDER_FIELDS, false},
    {"HttpRequest", "http.get{ … } and http.post{ … } in submit and claim", HTTP_FIELDS, true},
    {"HttpAnswer", "what they return", ANSWER_FIELDS, true},
};

#define CLASS_COUNT (sizeof CLASSES / sizeof CLASSES[0])

/* --- for the editor --------------------------------------------------------------------------- */

static bool is_needed(const char *class, const char *field)
{
    return strcmp(class, "Fault") == 0 && (strcmp(field, "at") == 0 || strcmp(field, "act") == 0);
}

static void meta_class(const struct class *class, struct buf *out)
{
    buf_addf(out, "\n--- %s\n---@class %s\n", class->what, class->name);
    for (const struct word *field = class->fields; field->name != NULL; field++)
        buf_addf(out, "---@field %s%s %s # %s\n", field->name,
                 class->may && !is_needed(class->name, field->name) ? "?" : "", field->type,
                 field->what);
}

static void meta_failpoints(struct buf *out)
{
    buf_add_string(out, "\n---@alias Failpoint\n");
    for (int at = 0; at < FAILPOINT_COUNT; at++)
        buf_addf(out, "---| \"%s\" # %s\n", failpoint_name((enum failpoint)at),
                 failpoint_when((enum failpoint)at));
}

static bool is_required(const struct action_option *option)
{
    return option->standard != NULL && *option->standard == '\0';
}

static void meta_action(enum action_kind kind, struct buf *out)
{
    struct buf where = {0};
    action_where(kind, &where);
    buf_addf(out, "\n--- %s; at %s\n", action_does(kind), buf_string(&where));
    buf_release(&where);
    for (int i = 0; action_option(kind, i) != NULL; i++) {
        const struct action_option *option = action_option(kind, i);
        buf_addf(out, "---@param %s%s %s # %s\n", option->name, is_required(option) ? "" : "?",
                 option_type_lua(option->type), option->does);
    }
    buf_add_string(out, "---@return Action\n");
    if (action_option(kind, 0) != NULL)
        buf_add_string(out, "---@overload fun(options: table): Action\n");
    if (action_option(kind, 1) != NULL)
        buf_addf(out, "---@overload fun(%s: %s, options: table): Action\n",
                 action_option(kind, 0)->name, option_type_lua(action_option(kind, 0)->type));
    buf_addf(out, "function %s(", action_name(kind));
    for (int i = 0; action_option(kind, i) != NULL; i++)
        buf_addf(out, "%s%s", i == 0 ? "" : ", ", action_option(kind, i)->name);
    buf_add_string(out, ") end\n");
}

static void meta_words(struct buf *out)
{
    buf_add_string(
        out, "\n--- a scenario file ends with: return scenario { … }\n"
             "---@param fields Scenario\n---@return Scenario\n"
             "function scenario(fields) end\n"
             "\n--- a fault for a share of all requests, for a while; other fields of a fault "
             "as well\n"
             "---@param fields {rate: number, with: Action|Action[], from?: string, "
             "to?: string}\n---@return Fault\n"
             "function storm(fields) end\n"
             "\n--- runs lib/lost.lua beside the scenario, once: require \"lib.lost\"\n"
             "---@param name string\n---@return any\n"
             "function require(name) end\n"
             "\n--- milliseconds since the provider's start, on its clock\n"
             "---@return integer\n"
             "function now() end\n"
             "\n--- what has happened so far, the oldest first\n"
             "---@class History\n---@field [integer] Event\n"
             "---@field count fun(of: {kind?: string, order?: string, request?: integer}): "
             "integer # how many events fit\n"
             "---@type History\nhistory = {}\n");
}

static void meta_client_words(struct buf *out)
{
    buf_add_string(out, "\n--- a client file ends with: return client { … }\n"
                        "---@param fields Client\n---@return Client\n"
                        "function client(fields) end\n"
                        "\n--- asks the client's own service, inside submit and claim\n"
                        "http = {}\n"
                        "---@param request HttpRequest|string\n---@return HttpAnswer\n"
                        "function http.get(request) end\n"
                        "---@param request HttpRequest|string\n---@return HttpAnswer\n"
                        "function http.post(request) end\n"
                        "\n--- runs a command, inside submit and claim: what it printed, and its "
                        "status (124: timed out)\n"
                        "---@param command string\n---@param options? {timeout?: string}\n"
                        "---@return string, integer\n"
                        "function sh(command, options) end\n"
                        "\n--- looks into an SQLite file (of STATE_DIR), inside submit and claim: "
                        "its rows, or nil and why when it is not there yet\n"
                        "---@param file string\n---@param sql string\n---@param ... any\n"
                        "---@return table[]?, string?\n"
                        "function sqlite(file, sql, ...) end\n");
}

static const char *type_of_option(const struct spread_option *option)
{
    static const char *const types[] = {
        [SPREAD_DURATION] = "string", [SPREAD_NUMBER] = "number", [SPREAD_DURATIONS] = "string[]"};
    return types[option->type];
}

static void meta_spread(enum spread_kind kind, struct buf *out)
{
    buf_addf(out, "\n--- a duration that is drawn: %s\n", spread_what(kind));
    for (int i = 0; spread_option(kind, i) != NULL; i++) {
        const struct spread_option *option = spread_option(kind, i);
        buf_addf(out, "---@param %s%s %s # %s\n", option->name, option->left_out == NULL ? "" : "?",
                 type_of_option(option), option->does);
    }
    buf_addf(out, "---@return Spread\n---@overload fun(options: table): Spread\nfunction %s(",
             spread_name(kind));
    for (int i = 0; spread_option(kind, i) != NULL; i++)
        buf_addf(out, "%s%s", i == 0 ? "" : ", ", spread_option(kind, i)->name);
    buf_add_string(out, ") end\n");
}

void vocabulary_meta(struct buf *out)
{
    buf_add_string(out, "---@meta\n"
                        "-- Written by `mockpsp --luals-meta`: the words of a scenario.\n"
                        "\n--- what a fault does\n---@class Action\n"
                        "\n--- a duration that is drawn when a fault strikes\n---@class Spread\n");
    meta_failpoints(out);
    for (size_t i = 0; i < CLASS_COUNT; i++)
        meta_class(&CLASSES[i], out);
    for (int kind = 0; kind < ACTION_COUNT; kind++)
        meta_action((enum action_kind)kind, out);
    for (int kind = 0; kind < SPREAD_COUNT; kind++)
        meta_spread((enum spread_kind)kind, out);
    meta_words(out);
    meta_client_words(out);
}

/* --- for a person ----------------------------------------------------------------------------- */

static void list_option(const struct action_option *option, struct buf *out)
{
    buf_addf(out, "    %-24s %s", option->name, option->does);
    if (is_required(option))
        buf_add_string(out, "; has to be given");
    else if (option->standard != NULL && strcmp(option->standard, "0") != 0)
        buf_addf(out, "; left out: %s", option->standard);
    buf_addf(out, " (%s)\n", option_type_right(option->type));
}

static void list_action(enum action_kind kind, struct buf *out)
{
    struct buf where = {0};
    action_where(kind, &where);
    buf_addf(out, "  %-24s %s\n  %-24s at %s\n", action_name(kind), action_does(kind), "",
             buf_string(&where));
    buf_release(&where);
    for (int i = 0; action_option(kind, i) != NULL; i++)
        list_option(action_option(kind, i), out);
}

static void list_spread(enum spread_kind kind, struct buf *out)
{
    buf_addf(out, "  %-24s %s\n", spread_name(kind), spread_what(kind));
    for (int i = 0; spread_option(kind, i) != NULL; i++) {
        const struct spread_option *option = spread_option(kind, i);
        buf_addf(out, "    %-24s %s; %s%s\n", option->name, option->does,
                 option->left_out == NULL ? "has to be given" : "left out: ",
                 option->left_out == NULL ? "" : option->left_out);
    }
}

static void list_class(const struct class *class, struct buf *out)
{
    buf_addf(out, "\n%s, %s\n", class->name, class->what);
    for (const struct word *field = class->fields; field->name != NULL; field++)
        buf_addf(out, "  %-24s %s\n", field->name, field->what);
}

void vocabulary_list(struct buf *out)
{
    buf_add_string(out, "\nfailpoints, where a fault may strike\n");
    for (int at = 0; at < FAILPOINT_COUNT; at++)
        buf_addf(out, "  %-24s %s\n", failpoint_name((enum failpoint)at),
                 failpoint_when((enum failpoint)at));
    buf_add_string(out, "\nactions, what it does there, and their options\n");
    for (int kind = 0; kind < ACTION_COUNT; kind++)
        list_action((enum action_kind)kind, out);
    buf_add_string(out, "\nspreads, durations that are drawn when a fault strikes\n");
    for (int kind = 0; kind < SPREAD_COUNT; kind++)
        list_spread((enum spread_kind)kind, out);
    for (size_t i = 0; i < CLASS_COUNT; i++)
        list_class(&CLASSES[i], out);
}
