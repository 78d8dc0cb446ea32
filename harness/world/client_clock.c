#include "client_clock.h"

#include "client.h"
#include "client_process.h"
#include "mem.h"
#include "order_run.h"
#include "psp_clock_file.h"
#include "world_internal.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "psp-clock.so"

struct client_clock {
    char *library; /* its path, or NULL: it is not there */
    char *path;    /* of the file that it reads */
    int fd;
    bool met;     /* by somebody, after it had moved */
    char *behind; /* who did not take it, and what to do; or NULL */
};

/* --- the clock -------------------------------------------------------------------------------- */

/* Beside this program; above it, for the tests; or where it was installed. */
static char *find_library(void)
{
    static const char *const places[] = {"", "/..", "/../" PSP_LIBDIR "/mockpsp"};
    char program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return NULL;
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        char *path = mem_printf("%s%s/" LIBRARY, program, places[i]);
        if (access(path, R_OK) == 0)
            return path;
        free(path);
    }
    return NULL;
}

enum err client_clock_open(struct world *world, struct err_text *why)
{
    struct client_clock *clock = mem_alloc(sizeof *clock);
    world->client_clock = clock;
    clock->library = find_library();
    clock->path = box_path(&world->box, "clock");
    clock->fd = open(clock->path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    const struct psp_clock_file none = {0};
    if (clock->fd >= 0 && pwrite(clock->fd, &none, sizeof none, 0) == sizeof none)
        return ERR_OK;
    return err_say(why, ERR_IO, "%s cannot be written: %s", clock->path, strerror(errno));
}

void client_clock_close(struct world *world)
{
    struct client_clock *clock = world->client_clock;
    if (clock == NULL)
        return;
    if (clock->fd >= 0)
        close(clock->fd);
    free(clock->library);
    free(clock->path);
    free(clock->behind);
    free(clock);
}

void client_clock_move(const struct world *world)
{
    ssize_t written =
        pwrite(world->client_clock->fd, &world->clock_ahead_ms, sizeof world->clock_ahead_ms,
               offsetof(struct psp_clock_file, ahead_ms));
    (void)written; /* it has its room already */
}

/* --- who gets it ------------------------------------------------------------------------------ */

/* What NAME is in LIST, or NULL. */
static const char *value_of(char *const *list, const char *name)
{
    size_t length = strlen(name);
    for (; *list != NULL; list++)
        if (strncmp(*list, name, length) == 0 && (*list)[length] == '=')
            return *list + length + 1;
    return NULL;
}

bool client_clock_give(const struct world *world, char ***list)
{
    const struct client_clock *clock = world->client_clock;
    enum whose_clock which = scenario_clock(world->scenario);
    if (clock->library == NULL || which == CLOCK_OF_PROVIDER ||
        (which != CLOCK_OF_BOTH && world->clock_ahead_ms == 0))
        return false;
    const char *preload = value_of(*list, "LD_PRELOAD");
    const char *sanitizer = value_of(*list, "ASAN_OPTIONS");
    bool others = preload != NULL && *preload != '\0';
    bool options = sanitizer != NULL && *sanitizer != '\0';
    client_list_set(list, mem_printf("LD_PRELOAD=%s%s%s", clock->library, others ? ":" : "",
                                     others ? preload : ""));
    client_list_set(list, mem_printf("PSP_CLOCK_FILE=%s", clock->path));
    /* A client under AddressSanitizer would not start otherwise. */
    client_list_set(list, mem_printf("ASAN_OPTIONS=%s%sverify_asan_link_order=0",
                                     options ? sanitizer : "", options ? ":" : ""));
    return true;
}

/* --- who has taken it ------------------------------------------------------------------------- */

static bool has_loaded_it(pid_t pid)
{
    char path[64];
    char line[4200];
    bool found = false;
    snprintf(path, sizeof path, "/proc/%d/maps", (int)pid);
    FILE *file = fopen(path, "re");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL)
        found = strstr(line, "/" LIBRARY) != NULL;
    if (file != NULL)
        fclose(file);
    return found;
}

static char *why_behind(const struct world *world, const struct client_process *process)
{
    if (world->client_clock->library == NULL)
        return mem_strdup(LIBRARY " is not beside psp-harness, nor where it is installed");
    if (!process->clocked)
        return mem_strdup("it was started before the clock moved: start it afterwards, or let the "
                          "scenario say clock = \"both\"");
    return mem_strdup("it does not load what LD_PRELOAD names, as a static program, one of another "
                      "user or one that drops its environment does not: link it with libc, and "
                      "hand LD_PRELOAD and PSP_CLOCK_FILE on");
}

int64_t client_clock_loads(const struct world *world)
{
    struct psp_clock_file now = {0};
    bool known = pread(world->client_clock->fd, &now, sizeof now, 0) == sizeof now;
    return known && world->clock_ahead_ms != 0 ? now.loads : -1;
}

void client_clock_left(const struct client_process *process)
{
    const struct world *world = process->world;
    if (process->clock_loads >= 0 && client_clock_loads(world) > process->clock_loads)
        world->client_clock->met = true;
}

void client_clock_ran(const struct world *world)
{
    for (const struct client_process *process = world->processes;
         process != NULL && world->clock_ahead_ms != 0; process = process->next)
        if (process->proc != NULL && process->clock_taken)
            world->client_clock->met = true;
}

/* Where the scenario is about it everybody has it from the start, and who does not take it then
 * will not later. */
void client_clock_see(struct world *world, const struct attempt *attempt)
{
    struct client_clock *clock = world->client_clock;
    struct order_run *run = order_run_find(world, attempt->order);
    enum whose_clock which = scenario_clock(world->scenario);
    bool moved = world->clock_ahead_ms != 0;
    if ((!moved && which != CLOCK_OF_BOTH) || which == CLOCK_OF_PROVIDER || clock->behind != NULL ||
        run == NULL || run->clock_seen)
        return;
    struct client_process *process = client_process_of(world, attempt);
    if (process == NULL || attempt->peer_port == 0)
        return;
    run->clock_seen = true;
    pid_t sender = proc_with_connection(process->proc, attempt->peer_port, psp_port(world->psp));
    if (sender <= 0)
        return;
    if (has_loaded_it(sender)) {
        clock->met = clock->met || moved;
        process->clock_taken = true;
        return;
    }
    char *name = client_process_name(process);
    char *why = why_behind(world, process);
    clock->behind = mem_printf("the clock of %s stayed behind the provider's: %s", name, why);
    free(why);
    free(name);
}

bool client_clock_judge(const struct world *world)
{
    const struct client_clock *clock = world->client_clock;
    bool needed = scenario_clock(world->scenario) == CLOCK_OF_BOTH;
    if (clock->behind != NULL && needed)
        result_add(world->result, VERDICT_INCONCLUSIVE,
                   "the scenario is about the client's clock, and %s", clock->behind);
    else if (clock->behind != NULL)
        result_note(world->result, "%s. Who goes by the time of day is not tested then",
                    clock->behind);
    else if (needed && !clock->met)
        result_add(world->result, VERDICT_INCONCLUSIVE,
                   "the scenario is about the client's clock, and no client ran behind it after it "
                   "had moved: let it move earlier, or a client run later");
    return !needed || (clock->behind == NULL && clock->met);
}
