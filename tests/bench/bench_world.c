/* What does a world cost beside the client that it runs? The same client, against a provider that
 * is up already, and as worlds of psp-harness, in turns: only the ratio means something elsewhere.
 * Time on the clock, which everybody else on the machine is in, and time of the processors, of the
 * client and the harness with its provider.
 *
 * And what does a schedule cost that explore tries? A client that a fault keeps waiting takes its
 * time whoever runs it, so what is compared with its bare run is what explore adds: all the time
 * that no client was running.
 * Not part of the tests: nothing here passes or fails.
 *
 *   cmake --build build --target bench_world
 *   build/bench_world build/mockpsp build/psp-harness build/client-careful-c */
#include "buf.h"
#include "check.h"
#include "clock.h"
#include "json.h"
#include "mem.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS 9
#define WORLDS 10 /* in a round, and as many bare runs */

struct bench {
    char **client; /* its words, then NULL */
    const char *harness;
    char *mockpsp; /* its URL */
    char directory[64];
    int runs; /* so far */
};

static pid_t spawn(char **words, int out)
{
    pid_t pid;
    posix_spawn_file_actions_t files;
    CHECK(posix_spawn_file_actions_init(&files) == 0);
    CHECK(posix_spawn_file_actions_adddup2(&files, out, STDOUT_FILENO) == 0);
    if (posix_spawnp(&pid, words[0], &files, NULL, words, environ) != 0) {
        fprintf(stderr, "bench_world: cannot run %s\n", words[0]);
        exit(EXIT_FAILURE);
    }
    posix_spawn_file_actions_destroy(&files);
    return pid;
}

struct cost {
    double clock_ms;
    double processors_ms;
};

static double ms(struct timeval time)
{
    return (double)time.tv_sec * 1000 + (double)time.tv_usec / 1000;
}

/* Of a program, with everybody it has waited for. */
static struct cost timed(char **words)
{
    int status = -1;
    struct rusage used;
    int nothing = open("/dev/null", O_WRONLY | O_CLOEXEC);
    int64_t began_us = clock_monotonic_us();
    pid_t pid = spawn(words, nothing);
    CHECK(wait4(pid, &status, 0, &used) == pid);
    int64_t took_us = clock_monotonic_us() - began_us;
    close(nothing);
    if (status != 0) {
        fprintf(stderr, "bench_world: %s did not end with status 0\n", words[0]);
        exit(EXIT_FAILURE);
    }
    return (struct cost){(double)took_us / 1000, ms(used.ru_utime) + ms(used.ru_stime)};
}

/* Starts MOCKPSP and waits until it listens. */
static pid_t start(struct bench *bench, char *mockpsp)
{
    char port[] = "--port", zero[] = "0", quiet[] = "--quiet";
    char *words[] = {mockpsp, port, zero, quiet, NULL};
    char line[200] = "";
    int out[2];
    CHECK(pipe2(out, O_CLOEXEC) == 0);
    pid_t pid = spawn(words, out[1]);
    close(out[1]);
    FILE *said = fdopen(out[0], "r");
    CHECK(said != NULL && fgets(line, sizeof line, said) != NULL);
    fclose(said);
    char *url = strstr(line, "http://");
    CHECK(url != NULL);
    url[strcspn(url, "\n")] = '\0';
    bench->mockpsp = mem_strdup(url);
    return pid;
}

static void write_scenarios(const struct bench *bench)
{
    for (int i = 0; i <= WORLDS; i++) {
        char path[128];
        snprintf(path, sizeof path, "%s/%s", bench->directory, i == 0 ? "one" : "all");
        mkdir(path, 0700);
        snprintf(path + strlen(path), sizeof path - strlen(path), "/%d.lua", i);
        FILE *file = fopen(path, "w");
        CHECK(file != NULL);
        fputs("return scenario { title = 'nothing goes wrong' }\n", file);
        fclose(file);
    }
}

static void remove_directory(struct bench *bench)
{
    char rm[] = "rm", how[] = "-rf";
    char *words[] = {rm, how, bench->directory, NULL};
    timed(words);
}

/* One run of the client as the harness would start it, each for an order of its own. */
static struct cost run_bare(struct bench *bench)
{
    char state[128], order[32];
    int number = ++bench->runs;
    snprintf(state, sizeof state, "%s/state-%d", bench->directory, number);
    snprintf(order, sizeof order, "order_%d", number);
    CHECK(mkdir(state, 0700) == 0);
    setenv("STATE_DIR", state, 1);
    setenv("ORDER_ID", order, 1);
    return timed(bench->client);
}

/* A run of the scenarios in FOLDER, one after the other. */
static struct cost run_worlds(const struct bench *bench, const char *folder)
{
    char scenarios[128];
    const char *before[] = {bench->harness, "run", "-j", "1", scenarios, "--"};
    enum { BEFORE = sizeof before / sizeof before[0], MOST = 32 };
    char *words[BEFORE + MOST] = {0};
    snprintf(scenarios, sizeof scenarios, "%s/%s", bench->directory, folder);
    for (size_t i = 0; i < BEFORE; i++)
        words[i] = mem_strdup(before[i]);
    for (size_t i = 0; bench->client[i] != NULL && i < MOST - 1; i++)
        words[BEFORE + i] = bench->client[i];
    struct cost cost = timed(words);
    for (size_t i = 0; i < BEFORE; i++)
        free(words[i]);
    return cost;
}

/* --- the figures ----------------------------------------------------------------------------- */

struct figures {
    double alone[ROUNDS], world[ROUNDS], ratio[ROUNDS];
};

static void note(struct figures *figures, int round, double alone, double world)
{
    figures->alone[round] = alone;
    figures->world[round] = world;
    figures->ratio[round] = world / alone;
}

static int compare(const void *one, const void *other)
{
    const double *a = one, *b = other;
    return (*a > *b) - (*a < *b);
}

static double median(double *values)
{
    qsort(values, ROUNDS, sizeof *values, compare);
    return values[ROUNDS / 2];
}

static void print(const char *what, struct figures *figures)
{
    double alone = median(figures->alone), world = median(figures->world);
    printf("%-12s client alone %7.2f ms, in a world %7.2f ms: ratio %.2f, %.2f ms more\n", what,
           alone, world, median(figures->ratio), world - alone);
}

static void measure(struct bench *bench, int round, struct figures *clock,
                    struct figures *processors)
{
    struct cost one = run_worlds(bench, "one");
    struct cost all = run_worlds(bench, "all");
    struct cost bare = {0};
    for (int i = 0; i < WORLDS; i++) {
        struct cost run = run_bare(bench);
        bare.clock_ms += run.clock_ms / WORLDS;
        bare.processors_ms += run.processors_ms / WORLDS;
    }
    note(clock, round, bare.clock_ms, (all.clock_ms - one.clock_ms) / (WORLDS - 1));
    note(processors, round, bare.processors_ms,
         (all.processors_ms - one.processors_ms) / (WORLDS - 1));
}

/* --- exploring ------------------------------------------------------------------------------- */

/* Every schedule with one fault, one world at a time; the report. */
static struct json *explore(const struct bench *bench)
{
    const char *before[] = {
        bench->harness, "explore",        "-j", "1", "--depth", "1", "--format", "json",
        "--report",     bench->directory, "--"};
    enum { BEFORE = sizeof before / sizeof before[0], MOST = 32 };
    char *words[BEFORE + MOST] = {0};
    char path[128];
    int status;
    struct buf text = {0};
    for (size_t i = 0; i < BEFORE; i++)
        words[i] = mem_strdup(before[i]);
    for (size_t i = 0; bench->client[i] != NULL && i < MOST - 1; i++)
        words[BEFORE + i] = bench->client[i];
    snprintf(path, sizeof path, "%s/explored.json", bench->directory);
    int out = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    CHECK(waitpid(spawn(words, out), &status, 0) > 0);
    close(out);
    FILE *file = fopen(path, "re");
    CHECK(file != NULL);
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, file) > 0)
        buf_add_string(&text, line);
    fclose(file);
    free(line);
    struct json *report = NULL;
    CHECK(json_parse(buf_string(&text), text.len, &report, NULL) == ERR_OK);
    buf_release(&text);
    for (size_t i = 0; i < BEFORE; i++)
        free(words[i]);
    return report;
}

static int64_t sum(const struct json *levels, const char *name)
{
    int64_t all = 0;
    for (const struct json *level = json_first(levels); level != NULL; level = json_next(level))
        all += json_get_int(level, name, 0);
    return all;
}

static void measure_exploring(const struct bench *bench, double alone_ms)
{
    struct json *report = explore(bench);
    const struct json *levels = json_get(report, "levels");
    const struct json *clients = json_get(report, "clients");
    int64_t runs = json_get_int(report, "runs", 1);
    double clients_ms = (double)json_get_int(clients, "took_us", 0) / 1000;
    double ours = ((double)json_get_int(report, "took_ms", 0) - clients_ms) / (double)runs;
    printf("explore      %" PRId64 " schedules run, %" PRId64 " pruned, %" PRId64
           " of those sampled; with shrinking %" PRId64 " worlds, in which the client ran %" PRId64
           " times, for %.0f ms\n",
           sum(levels, "survived") + sum(levels, "broke") + sum(levels, "missed") +
               sum(levels, "unsure"),
           sum(levels, "skipped"), json_get_int(json_get(report, "trust"), "samples", 0), runs,
           json_get_int(clients, "runs", 0), clients_ms);
    printf("             client alone %7.2f ms, and %.2f ms more per schedule: ratio %.2f\n",
           alone_ms, ours, (alone_ms + ours) / alone_ms);
    json_free(report);
}

int main(int argc, char **argv)
{
    static struct figures clock, processors;
    struct bench bench = {.directory = "/tmp/bench-world.XXXXXX"};
    if (argc < 4) {
        fputs("usage: bench_world MOCKPSP PSP-HARNESS CLIENT [ARG]...\n", stderr);
        return EXIT_FAILURE;
    }
    bench.harness = argv[2];
    bench.client = &argv[3];
    CHECK(mkdtemp(bench.directory) != NULL);
    write_scenarios(&bench);
    pid_t mockpsp = start(&bench, argv[1]);
    setenv("PSP_URL", bench.mockpsp, 1);
    setenv("PSP_API_KEY", "sk_test_bench", 1);
    setenv("ORDER_AMOUNT", "2000", 1);
    setenv("ORDER_CURRENCY", "usd", 1);
    for (int round = 0; round < ROUNDS; round++)
        measure(&bench, round, &clock, &processors);
    kill(mockpsp, SIGKILL);
    waitpid(mockpsp, NULL, 0);
    print("clock", &clock);
    print("processors", &processors);
    measure_exploring(&bench, median(clock.alone));
    remove_directory(&bench);
    free(bench.mockpsp);
    return EXIT_SUCCESS;
}
