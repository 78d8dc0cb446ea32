#include "service.h"

#include "client_file.h"
#include "client_process.h"
#include "crash.h"
#include "duration.h"
#include "fetch.h"
#include "mem.h"
#include "world_internal.h"

#include <stdlib.h>
#include <string.h>

#define PROBE_MS    10   /* between two looks whether it is ready */
#define PROBE_MOST  5000 /* ms: for one of them */
#define MOST_DEATHS 20   /* by itself, after it was ready */
#define MOST_SAID   300  /* bytes of its last words */

struct service {
    struct world *world;
    struct client_process *process;
    bool ready;
    bool down; /* to be started again */
    int deaths;
    struct fetch *probe;
    struct loop_timer *next_probe;
    struct loop_timer *deadline;
    char *missing; /* what the last probe met, or NULL */
};

bool service_is_ready(const struct service *service)
{
    return service->ready && service->process->proc != NULL;
}

/* --- until it is ready ----------------------------------------------------------------------- */

static void stop_probing(struct service *service)
{
    fetch_free(service->probe);
    loop_timer_stop(service->next_probe);
    loop_timer_stop(service->deadline);
    service->probe = NULL;
    service->next_probe = NULL;
    service->deadline = NULL;
}

static void became_ready(struct service *service)
{
    stop_probing(service);
    service->ready = true;
    world_progress(service->world);
}

static char *ready_what(const struct service *service)
{
    struct client_values values = world_client_values(service->world);
    return client_fill(client_file_plan(service->world->client)->ready_what, &values);
}

static void probe(void *context);

static void probed(void *context, const struct fetch_answer *answer)
{
    struct service *service = context;
    bool url = client_file_plan(service->world->client)->ready == READY_URL;
    bool good = url ? answer->status >= 200 && answer->status < 300 : answer->error == NULL;
    free(service->missing);
    service->missing = answer->error != NULL ? mem_strdup(answer->error)
                                             : mem_printf("it answers %d", answer->status);
    fetch_free(service->probe);
    service->probe = NULL;
    if (good)
        became_ready(service);
    else
        service->next_probe = loop_after(service->world->loop, PROBE_MS, probe, service);
}

static void probe(void *context)
{
    struct service *service = context;
    struct world *world = service->world;
    char *what = ready_what(service);
    service->next_probe = NULL;
    if (client_file_plan(world->client)->ready == READY_URL) {
        struct fetch_request request = {.method = "GET", .url = what, .timeout_ms = PROBE_MOST};
        service->probe = fetch_start(world->transfers, &request, probed, service);
    } else {
        char *url = mem_printf("http://127.0.0.1:%s/", what);
        service->probe = fetch_connect(world->transfers, url, PROBE_MOST, probed, service);
        free(url);
    }
    free(what);
}

static void too_late(void *context)
{
    struct service *service = context;
    const struct client_plan *plan = client_file_plan(service->world->client);
    static const char *const kinds[] = {[READY_PORT] = "nobody takes connections at port",
                                        [READY_URL] = "no 2xx comes from",
                                        [READY_LINE] = "no line has"};
    char *what = ready_what(service);
    const char *said = service->process->last_words;
    service->deadline = NULL;
    world_end(service->world, WORLD_HAS_NO_CLIENT,
              "the service was not ready after %s: %s %s%s%s%s%.*s (see ready in the client file, "
              "and logs/service.log)",
              duration_format(plan->ready_ms).text, kinds[plan->ready], what,
              service->missing == NULL ? "" : ", ",
              service->missing == NULL ? "" : service->missing,
              said == NULL ? "" : "; it said: ", MOST_SAID, said == NULL ? "" : said);
    free(what);
}

static void said(struct client_process *process, enum proc_stream stream, const char *line)
{
    struct service *service = process->context;
    (void)stream;
    if (service->ready || client_file_plan(process->world->client)->ready != READY_LINE)
        return;
    char *what = ready_what(service);
    if (strstr(line, what) != NULL)
        became_ready(service);
    free(what);
}

/* --- its lives ------------------------------------------------------------------------------- */

static void start(struct service *service)
{
    const struct client_plan *plan = client_file_plan(service->world->client);
    service->down = false;
    if (!client_process_start(service->process, plan->command))
        return;
    service->deadline = loop_after(service->world->loop, plan->ready_ms, too_late, service);
    if (plan->ready != READY_LINE)
        service->next_probe = loop_after(service->world->loop, 0, probe, service);
}

/* Whoever dies by itself is started again as a supervisor would, but for one that never gets
 * anywhere. */
static void left(struct client_process *process)
{
    struct service *service = process->context;
    const char *last = process->last_words;
    bool was_ready = service->ready;
    bool crashed = process->killed_by != 0;
    stop_probing(service);
    service->ready = false;
    service->down = true;
    service->deaths += !crashed;
    if (!crashed && (!was_ready || service->deaths > MOST_DEATHS))
        world_end(process->world, WORLD_HAS_NO_CLIENT, "the service ended with %s %d %s%s%.*s",
                  process->end.signalled ? "signal" : "status", process->end.code,
                  was_ready ? "again and again" : "before it was ready",
                  last == NULL ? "" : "; it said: ", MOST_SAID, last == NULL ? "" : last);
}

void service_progress(struct service *service)
{
    const struct world *world = service->world;
    if (service->down && world->over == WORLD_GOES_ON && !crash_holds_clients(world) &&
        psp_is_up(world->psp))
        start(service);
}

struct service *service_open(struct world *world)
{
    struct service *service = mem_alloc(sizeof *service);
    service->world = world;
    service->process = client_process_new(world, NULL, "service");
    service->process->said = said;
    service->process->left = left;
    service->process->context = service;
    start(service);
    return service;
}

void service_close(struct service *service)
{
    if (service == NULL)
        return;
    stop_probing(service);
    free(service->missing);
    free(service);
}
