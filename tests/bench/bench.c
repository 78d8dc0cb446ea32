/* How fast is mockpsp, compared with the HTTP library alone? Both in one run, on one machine, for
 * only the ratio means something elsewhere. Not part of the tests: nothing here passes or fails.
 *
 *   cmake --build build --target bench && build/bench build/mockpsp */
#include "check.h"
#include "clock.h"

#include <arpa/inet.h>
#include <inttypes.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define CONNECTIONS 8
#define REQUESTS    20000
#define AUTH        "Host: x\r\nAuthorization: Bearer sk_test_bench\r\n"
#define PAYMENT     "amount=2000&currency=usd&payment_method=pm_card_visa&confirm=true"
#define LENGTH      "Content-Length: 65\r\n" /* of PAYMENT */

struct server {
    pid_t pid;
    int port;
};

/* --- the two servers -------------------------------------------------------------------------- */

/* The parameters are the library's choice. NOLINTNEXTLINE(readability-function-size) */
static enum MHD_Result answer(void *context, struct MHD_Connection *connection, const char *url,
                              const char *method, const char *version, const char *data,
                              size_t *size, void **state)
{
    static char body[] = "{\"object\": \"list\", \"data\": [], \"has_more\": false}";
    (void)context, (void)url, (void)method, (void)version, (void)data;
    if (*state == NULL || *size > 0) {
        *state = body;
        *size = 0;
        return MHD_YES;
    }
    struct MHD_Response *response =
        MHD_create_response_from_buffer(sizeof body - 1, body, MHD_RESPMEM_PERSISTENT);
    enum MHD_Result result = MHD_queue_response(connection, MHD_HTTP_OK, response);
    MHD_destroy_response(response);
    return result;
}

static _Noreturn void serve_bare(int out)
{
    struct MHD_Daemon *daemon = MHD_start_daemon(MHD_USE_EPOLL | MHD_USE_INTERNAL_POLLING_THREAD, 0,
                                                 NULL, NULL, answer, NULL, MHD_OPTION_END);
    CHECK(daemon != NULL);
    dprintf(out, "http://127.0.0.1:%d\n",
            MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_BIND_PORT)->port);
    while (true)
        pause();
}

/* Starts MOCKPSP, or (NULL) the library alone, and waits until it listens. */
static struct server start(char *mockpsp)
{
    char line[200] = "";
    int out[2];
    CHECK(pipe(out) == 0);
    struct server server = {.pid = fork()};
    if (server.pid == 0) {
        char port[] = "--port", zero[] = "0", quiet[] = "--quiet";
        char *arguments[] = {mockpsp, port, zero, quiet, NULL};
        dup2(out[1], STDOUT_FILENO);
        if (mockpsp == NULL)
            serve_bare(STDOUT_FILENO);
        execv(mockpsp, arguments);
        _exit(127);
    }
    close(out[1]);
    FILE *said = fdopen(out[0], "r");
    if (said == NULL || fgets(line, sizeof line, said) == NULL) {
        fprintf(stderr, "bench: cannot start %s\n", mockpsp);
        exit(EXIT_FAILURE);
    }
    fclose(said);
    server.port = (int)strtol(strrchr(line, ':') + 1, NULL, 10);
    return server;
}

static void stop(struct server server)
{
    kill(server.pid, SIGKILL);
    waitpid(server.pid, NULL, 0);
}

/* --- the client ------------------------------------------------------------------------------- */

static int connect_to(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int on = 1;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(connect(fd, (struct sockaddr *)&address, sizeof address) == 0);
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    return fd;
}

static void read_answer(int fd)
{
    char text[16384];
    size_t have = 0, wanted = sizeof text - 1;
    while (have < wanted) {
        ssize_t got = recv(fd, text + have, sizeof text - 1 - have, 0);
        CHECK(got > 0);
        have += (size_t)got;
        text[have] = '\0';
        const char *body = strstr(text, "\r\n\r\n");
        const char *length = strstr(text, "Content-Length: ");
        if (body != NULL && length != NULL)
            wanted = (size_t)(body + 4 - text) + strtoul(length + 16, NULL, 10);
    }
    CHECK(strncmp(text, "HTTP/1.1 200", 12) == 0);
}

/* Requests per second on CONNECTIONS warm connections, each of which waits for its answer. */
static int64_t rate(struct server server, const char *request)
{
    int fds[CONNECTIONS];
    for (int i = 0; i < CONNECTIONS; i++)
        fds[i] = connect_to(server.port);
    int64_t start_us = clock_monotonic_us();
    for (int round = 0; round < REQUESTS / CONNECTIONS; round++) {
        for (int i = 0; i < CONNECTIONS; i++)
            CHECK(send(fds[i], request, strlen(request), 0) == (ssize_t)strlen(request));
        for (int i = 0; i < CONNECTIONS; i++)
            read_answer(fds[i]);
    }
    int64_t took_us = clock_monotonic_us() - start_us;
    for (int i = 0; i < CONNECTIONS; i++)
        close(fds[i]);
    return REQUESTS * INT64_C(1000000) / took_us;
}

static void report(const char *what, int64_t per_second, int64_t bare)
{
    printf("%-34s %7" PRId64 "/s   %.3f\n", what, per_second, (double)per_second / (double)bare);
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fputs("usage: bench MOCKPSP\n", stderr);
        return EXIT_FAILURE;
    }
    struct server bare = start(NULL);
    int64_t most = rate(bare, "GET /v1/charges HTTP/1.1\r\n" AUTH "\r\n");
    stop(bare);
    struct server psp = start(argv[1]);
    report("bare libmicrohttpd", most, most);
    report("mockpsp, an empty list", rate(psp, "GET /v1/charges HTTP/1.1\r\n" AUTH "\r\n"), most);
    report("mockpsp, a replay",
           rate(psp, "POST /v1/payment_intents HTTP/1.1\r\nIdempotency-Key: key\r\n" AUTH LENGTH
                     "\r\n" PAYMENT),
           most);
    report("mockpsp, a payment",
           rate(psp, "POST /v1/payment_intents HTTP/1.1\r\n" AUTH LENGTH "\r\n" PAYMENT), most);
    stop(psp);
    return EXIT_SUCCESS;
}
