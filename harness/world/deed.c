#include "deed.h"

#include "client_process.h"
#include "json.h"
#include "mem.h"
#include "order_run.h"
#include "world_internal.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DEEDS 10000 /* of a run: whoever prints for ever shall not fill the memory */

static enum err fill(const struct json *json, struct deed *deed, struct err_text *why)
{
    const char *order = json_get_string(json, "order");
    const char *effect = json_get_string(json, "effect");
    const struct json *event = json_get(json, "event");
    const struct json *undone = json_get(json, "undone");
    if (order == NULL)
        return err_say(why, ERR_INVALID, "it has an effect but no \"order\"");
    if (effect == NULL || *effect == '\0')
        return err_say(why, ERR_INVALID, "its \"effect\" is no text, such as \"shipped\"");
    if (event != NULL && !json_is_null(event) && json_as_string(event) == NULL)
        return err_say(why, ERR_INVALID, "its \"event\" is no text");
    if (undone != NULL && !json_is_bool(undone))
        return err_say(why, ERR_INVALID, "its \"undone\" is neither true nor false");
    deed->order = mem_strdup(order);
    deed->effect = mem_strdup(effect);
    deed->event = mem_strdup(json_as_string(event));
    deed->undone = json_get_bool(json, "undone", false);
    return ERR_OK;
}

enum err deed_read(const char *line, struct deed *deed, struct err_text *why)
{
    struct json *json;
    enum err err = ERR_NOT_FOUND;
    *deed = (struct deed){0};
    line += strspn(line, " \t\r\f\v");
    if (line[0] != '{' || strstr(line, "\"effect\"") == NULL)
        return ERR_NOT_FOUND;
    if (json_parse(line, strlen(line), &json, NULL) != ERR_OK)
        return err_say(why, ERR_INVALID, "it is no JSON");
    if (json_get(json, "effect") != NULL)
        err = fill(json, deed, why);
    json_free(json);
    return err;
}

void deed_release(struct deed *deed)
{
    free(deed->order);
    free(deed->effect);
    free(deed->event);
    *deed = (struct deed){0};
}

static void record(struct world *world, const struct deed *deed)
{
    struct event event = event_new(EVENT_DONE, 0, world_now_ms(world));
    event.order = mem_strdup(deed->order);
    json_set_string(event.data, "effect", deed->effect);
    json_maybe_string(event.data, "event", deed->event);
    if (deed->undone)
        json_set_bool(event.data, "undone", true);
    world_record(world, event);
}

/* Half a line of the dead is none. */
static void misread(const struct client_process *process, const char *line, const char *why)
{
    char *name = client_process_name(process);
    if (process->killed_by == 0)
        world_note(process->world, "%s printed an effect that cannot be read, %s: %.200s", name,
                   why, line);
    free(name);
}

void deed_hear(struct client_process *process, const char *line)
{
    struct world *world = process->world;
    struct deed deed;
    struct err_text why;
    enum err err = deed_read(line, &deed, &why);
    if (err == ERR_INVALID)
        misread(process, line, why.text);
    else if (err == ERR_OK && order_run_find(world, deed.order) == NULL)
        world_note(world,
                   "the client printed an effect for '%.100s', which is no order of this "
                   "run: %.200s",
                   deed.order, line);
    else if (err == ERR_OK &&
             history_count(&world->result->history, EVENT_DONE, NULL) >= MOST_DEEDS)
        world_note(world, "the client printed more than %d effects: the rest is not known",
                   MOST_DEEDS);
    else if (err == ERR_OK)
        record(world, &deed);
    deed_release(&deed);
}
