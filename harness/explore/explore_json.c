/* An exploration as one JSON document. Nothing in it differs when the same is explored again, but
 * "runs", "took_ms" and "clients". */
#include "explore_report.h"

#include "json.h"

#include <stdlib.h>

static struct json *levels(const struct space *space)
{
    struct json *list = json_array();
    for (size_t level = 0; level < space->level_count; level++) {
        size_t end = level + 1 < space->level_count ? space->levels[level + 1] : space->count;
        int64_t ends[TRIAL_END_COUNT] = {0};
        int64_t skipped = 0;
        for (size_t i = space->levels[level]; i < end; i++) {
            const struct node *node = &space->nodes[i];
            if (node->role == NODE_SKIPPED)
                skipped++;
            else
                ends[node->trial == NULL ? TRIAL_not_run : node->trial->end]++;
        }
        struct json *json = json_object();
        json_set_int(json, "depth", (int64_t)level);
        for (int i = 0; i < TRIAL_END_COUNT; i++)
            json_set_int(json, trial_end_name((enum trial_end)i), ends[i]);
        json_set_int(json, "skipped", skipped);
        json_push(list, json);
    }
    return list;
}

static struct json *finding(const struct explore_report *report, const struct bucket *bucket)
{
    struct json *json = json_object();
    struct buf text = {0};
    char *name = bucket_name(bucket);
    json_set_string(json, "name", name);
    json_set_string(json, "invariant", invariant_name(bucket->invariant));
    json_set_string(json, "cause", cause_name(bucket->cause));
    json_set_string(json, "place", bucket->place);
    json_set_int(json, "schedules", (int64_t)bucket->schedules);
    json_set(json, "first", plan_to_json(&bucket->plan));
    json_set(json, "shortest", plan_to_json(&bucket->shortest));
    json_set_int(json, "orders", bucket->shortest_orders);
    plan_describe(&bucket->shortest, &text);
    json_set_string(json, "words", buf_string(&text));
    json_set_int(json, "confirmed", bucket->confirmed);
    json_set_int(json, "asked", bucket->asked);
    json_maybe_string(json, "story", bucket->trial == NULL ? NULL : bucket->trial->story);
    if (bucket->written) {
        buf_clear(&text);
        buf_addf(&text, "%s.lua", name);
        json_set_string(json, "file", buf_string(&text));
    }
    (void)report;
    buf_release(&text);
    free(name);
    return json;
}

static struct json *trust(const struct space *space)
{
    struct json *json = json_object();
    json_set_int(json, "samples", (int64_t)space->samples);
    json_maybe_string(json, "unlike", space->unlike);
    json_set_int(json, "played_twice", (int64_t)space->checked);
    json_set_int(json, "wandering", (int64_t)space->wandering);
    json_maybe_string(json, "wanders", space->wanders);
    return json;
}

void explore_report_json(const struct explore_report *report, struct buf *out)
{
    const struct exploration *exploration = report->exploration;
    const struct space_options *space = &exploration->options.space;
    struct json *json = json_object();
    struct json *found = json_array();
    json_set_string(json, "version", MOCKPSP_VERSION);
    json_set_string(json, "verdict", verdict_name(report->verdict));
    json_maybe_string(json, "reason", report->why);
    json_set_int(json, "seed", (int64_t)space->seed);
    json_set_int(json, "depth", space->depth);
    json_set_int(json, "orders", space->orders);
    json_set_bool(json, "complete", exploration->complete);
    json_set(json, "levels", levels(&exploration->space));
    json_set(json, "trust", trust(&exploration->space));
    if (exploration->options.random) {
        struct json *walks = json_object();
        json_set_int(walks, "walks", (int64_t)exploration->walks.walks);
        json_set_int(walks, "steps", (int64_t)exploration->walks.steps);
        json_set_int(walks, "deepest", (int64_t)exploration->walks.deepest);
        json_set(json, "random", walks);
    }
    for (size_t i = 0; i < exploration->found.count; i++)
        json_push(found, finding(report, &exploration->found.items[i]));
    json_set(json, "findings", found);
    json_set_int(json, "coverage_percent", coverage_percent(&report->coverage));
    json_set(json, "coverage", coverage_to_json(&report->coverage));
    json_set_int(json, "runs", (int64_t)lab_played(exploration->lab));
    json_set_int(json, "took_ms", exploration->took_ms);
    struct json *clients = json_object();
    json_set_int(clients, "runs", lab_clients(exploration->lab).runs);
    json_set_int(clients, "took_us", lab_clients(exploration->lab).us);
    json_set(json, "clients", clients);
    char *text = json_print_pretty(json);
    buf_addf(out, "%s\n", text);
    free(text);
    json_free(json);
}
