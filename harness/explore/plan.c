#include "plan.h"

#include "crypto.h"
#include "mem.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    const char *what;
    const char *faults;
    const char *body;
} DELIVERIES[] = {
#define DELIVERY_ROW(name, what, faults, body) {#name, what, faults, body},
    DELIVERY_LIST(DELIVERY_ROW)
#undef DELIVERY_ROW
};

const char *delivery_name(enum delivery delivery)
{
    return DELIVERIES[delivery].name;
}

const char *delivery_what(enum delivery delivery)
{
    return DELIVERIES[delivery].what;
}

static void add(struct plan *plan, struct choice choice)
{
    plan->choices = mem_resize(plan->choices, plan->count + 1, sizeof *plan->choices);
    plan->choices[plan->count++] = choice;
}

void plan_add(struct plan *plan, enum move move, const struct probe *probe)
{
    add(plan, (struct choice){move, mem_strdup(probe->order), mem_strdup(probe->on), probe->attempt,
                              probe->generation});
}

void plan_remove(struct plan *plan, size_t choice)
{
    free(plan->choices[choice].order);
    free(plan->choices[choice].on);
    memmove(&plan->choices[choice], &plan->choices[choice + 1],
            (plan->count - choice - 1) * sizeof *plan->choices);
    plan->count--;
}

struct plan plan_copy(const struct plan *plan)
{
    struct plan copy = {.delivery = plan->delivery};
    for (size_t i = 0; i < plan->count; i++) {
        const struct choice *choice = &plan->choices[i];
        add(&copy, (struct choice){choice->move, mem_strdup(choice->order), mem_strdup(choice->on),
                                   choice->attempt, choice->generation});
    }
    return copy;
}

void plan_release(struct plan *plan)
{
    while (plan->count > 0)
        plan_remove(plan, plan->count - 1);
    free(plan->choices);
    *plan = (struct plan){0};
}

size_t plan_depth(const struct plan *plan)
{
    return plan->count + (plan->delivery != DELIVERY_once);
}

bool choice_is_at(const struct choice *choice, const struct probe *probe)
{
    return probe->at == move_at(choice->move) && probe->attempt == choice->attempt &&
           (choice->generation == ANY_GENERATION || choice->generation == probe->generation) &&
           probe->order != NULL && strcmp(probe->order, choice->order) == 0 && probe->on != NULL &&
           strcmp(probe->on, choice->on) == 0;
}

size_t plan_reached(const struct plan *plan, const struct trace *trace)
{
    size_t at = 0;
    while (at < trace->count && !choice_is_at(&plan->choices[plan->count - 1], &trace->items[at]))
        at++;
    return at;
}

struct plan_name plan_name(const struct plan *plan)
{
    struct json *json = plan_to_json(plan);
    char *text = json_print(json);
    struct crypto_digest digest = crypto_sha256(text, strlen(text));
    struct plan_name name;
    memcpy(name.text, digest.hex, sizeof name.text - 1);
    name.text[sizeof name.text - 1] = '\0';
    free(text);
    json_free(json);
    return name;
}

/* --- as a scenario --------------------------------------------------------------------------- */

/* As Lua reads it back: JSON's escapes are Lua's, but for \u and \/, which no route or id has. */
static void add_quoted(const char *text, struct buf *out)
{
    buf_add_char(out, '"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            buf_add_char(out, '\\');
        if ((unsigned char)*text < 0x20)
            buf_addf(out, "\\%03d", *text);
        else
            buf_add_char(out, *text);
    }
    buf_add_char(out, '"');
}

static void add_fault(const struct choice *choice, bool optional, struct buf *out)
{
    buf_add_string(out, "        { on = ");
    add_quoted(choice->on, out);
    buf_add_string(out, ", order = ");
    add_quoted(choice->order, out);
    buf_addf(out, ", attempt = %d, at = \"%s\", act = %s%s },\n", choice->attempt,
             failpoint_name(move_at(choice->move)), move_act(choice->move),
             optional ? ", optional = true" : "");
}

/* What its moves ask of the job queue, each once. */
static void add_queue(const struct plan *plan, struct buf *out)
{
    const char *before = "    queue = { ";
    for (size_t i = 0; i < plan->count; i++) {
        const char *queue = move_queue(plan->choices[i].move);
        bool said = queue == NULL;
        for (size_t j = 0; j < i && !said; j++)
            said = move_queue(plan->choices[j].move) != NULL &&
                   strcmp(move_queue(plan->choices[j].move), queue) == 0;
        if (said)
            continue;
        buf_addf(out, "%s%s", before, queue);
        before = ", ";
    }
    if (before[0] == ',')
        buf_add_string(out, " },\n");
}

void plan_scenario(const struct plan *plan, const char *title, int orders, struct buf *out)
{
    buf_add_string(out, "return scenario {\n    title = ");
    add_quoted(title, out);
    buf_addf(out, ",\n    orders = %d,\n", orders);
    add_queue(plan, out);
    const char *faults = DELIVERIES[plan->delivery].faults;
    if (plan->count > 0 || faults != NULL)
        buf_add_string(out, "    faults = {\n");
    for (size_t i = 0; i < plan->count; i++)
        add_fault(&plan->choices[i], i > 0 || plan->delivery != DELIVERY_once, out);
    if (faults != NULL)
        buf_add_string(out, faults);
    if (plan->count > 0 || faults != NULL)
        buf_add_string(out, "    },\n");
    if (DELIVERIES[plan->delivery].body != NULL)
        buf_addf(out, "    run = function(world)\n%s    end,\n", DELIVERIES[plan->delivery].body);
    buf_add_string(out, "}\n");
}

/* --- for people and files -------------------------------------------------------------------- */

void choice_describe(const struct choice *choice, struct buf *out)
{
    buf_addf(out, "%s at %s of %s, attempt %d of %s", move_act(choice->move),
             failpoint_name(move_at(choice->move)), choice->on, choice->attempt, choice->order);
    if (choice->generation > 1)
        buf_addf(out, " (with its key number %d)", choice->generation);
}

void plan_describe(const struct plan *plan, struct buf *out)
{
    if (plan_depth(plan) == 0)
        buf_add_string(out, "nothing goes wrong");
    if (plan->delivery != DELIVERY_once)
        buf_add_string(out, delivery_what(plan->delivery));
    for (size_t i = 0; i < plan->count; i++) {
        if (i > 0 || plan->delivery != DELIVERY_once)
            buf_add_string(out, "; then ");
        choice_describe(&plan->choices[i], out);
    }
}

struct json *plan_to_json(const struct plan *plan)
{
    struct json *json = json_object();
    struct json *choices = json_array();
    for (size_t i = 0; i < plan->count; i++) {
        struct json *choice = json_object();
        json_set_string(choice, "move", move_name(plan->choices[i].move));
        json_set_string(choice, "order", plan->choices[i].order);
        json_set_string(choice, "on", plan->choices[i].on);
        json_set_int(choice, "attempt", plan->choices[i].attempt);
        if (plan->choices[i].generation != ANY_GENERATION)
            json_set_int(choice, "generation", plan->choices[i].generation);
        json_push(choices, choice);
    }
    json_set_string(json, "delivery", delivery_name(plan->delivery));
    json_set(json, "choices", choices);
    return json;
}

static enum err read_choice(const struct json *json, struct plan *plan)
{
    enum move move;
    const char *order = json_get_string(json, "order");
    const char *on = json_get_string(json, "on");
    int64_t attempt = json_get_int(json, "attempt", 0);
    int64_t generation = json_get_int(json, "generation", ANY_GENERATION);
    if (!move_parse(json_get_string(json, "move"), &move) || order == NULL || on == NULL ||
        attempt < 1 || attempt > PLAN_MOST_ATTEMPT || generation < ANY_GENERATION ||
        generation > INT32_MAX)
        return ERR_INVALID;
    add(plan,
        (struct choice){move, mem_strdup(order), mem_strdup(on), (int)attempt, (int)generation});
    return ERR_OK;
}

enum err plan_from_json(const struct json *json, struct plan *plan)
{
    *plan = (struct plan){0};
    const char *delivery = json_get_string(json, "delivery");
    enum err err = ERR_INVALID;
    for (int i = 0; delivery != NULL && i < DELIVERY_COUNT; i++)
        if (strcmp(DELIVERIES[i].name, delivery) == 0) {
            plan->delivery = (enum delivery)i;
            err = ERR_OK;
        }
    const struct json *one = json_first(json_get(json, "choices"));
    for (; one != NULL && err == ERR_OK; one = json_next(one))
        err = read_choice(one, plan);
    if (err != ERR_OK)
        plan_release(plan);
    return err;
}
