/* A client for tests of exploration: it pays one order, costs next to nothing, and waits so long
 * that a busy machine changes nothing.
 *
 *   quick-client keyed     tries again with the same key, and knows what it has paid
 *   quick-client keyless   tries again without one: a second charge
 *   quick-client hasty     calls everything but a 200 a failure: a charge that nobody knows of */
#include <arpa/inet.h>
#include <fcntl.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#define TRIES     3
#define WAIT_S    2
#define CONNECT_S 10
#define UNKNOWN   75

static const char *mode;

/* A provider that is down comes back. */
static int open_socket(void)
{
    struct timeval wait = {.tv_sec = WAIT_S};
    const char *port = strrchr(getenv("PSP_URL"), ':') + 1;
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)strtol(port, NULL, 10)),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    for (int i = 0; i < CONNECT_S * 100; i++) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &wait, sizeof wait);
        if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0)
            return fd;
        close(fd);
        poll(NULL, 0, 10);
    }
    exit(UNKNOWN);
}

/* The whole answer, until the connection ends; "" when it does not. */
static void ask(const char *body, char *answer, size_t size)
{
    char request[2048];
    char key[256] = "";
    size_t length = 0;
    int fd = open_socket();
    if (strcmp(mode, "keyed") == 0)
        snprintf(key, sizeof key, "Idempotency-Key: %s\r\n", getenv("ORDER_ID"));
    int made = snprintf(request, sizeof request,
                        "POST /v1/payment_intents HTTP/1.1\r\nHost: psp\r\nConnection: close\r\n"
                        "Authorization: Bearer %s\r\n%sContent-Length: %zu\r\n"
                        "Content-Type: application/x-www-form-urlencoded\r\n\r\n%s",
                        getenv("PSP_API_KEY"), key, strlen(body), body);
    ssize_t got = send(fd, request, (size_t)made, MSG_NOSIGNAL);
    while (got > 0 && length < size - 1) {
        got = read(fd, answer + length, size - 1 - length);
        length += got > 0 ? (size_t)got : 0;
    }
    answer[got == 0 ? length : 0] = '\0';
    close(fd);
}

/* A status line alone is no answer: all of its JSON has to be there. */
static int status_of(const char *answer)
{
    size_t length = strlen(answer);
    while (length > 0 && answer[length - 1] == '\n')
        length--;
    return length > 12 && answer[length - 1] == '}' ? (int)strtol(answer + 9, NULL, 10) : 0;
}

/* Of an order that it has paid a keyed one leaves a file behind. */
static bool is_paid(int flags)
{
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", getenv("STATE_DIR"), getenv("ORDER_ID"));
    int fd = strcmp(mode, "keyed") == 0 ? open(path, flags, 0600) : -1;
    return fd >= 0 && close(fd) == 0;
}

static int pay(void)
{
    if (is_paid(O_RDONLY))
        return 0;
    char body[512];
    char answer[8192];
    snprintf(body, sizeof body,
             "amount=%s&currency=%s&payment_method=pm_card_visa&confirm=true"
             "&metadata[order_id]=%s",
             getenv("ORDER_AMOUNT"), getenv("ORDER_CURRENCY"), getenv("ORDER_ID"));
    for (int i = 0; i < TRIES; i++) {
        ask(body, answer, sizeof answer);
        int status = status_of(answer);
        if (status == 200 && strstr(answer, "\"succeeded\"") == NULL)
            return UNKNOWN;
        if (status == 200) {
            is_paid(O_CREAT | O_WRONLY);
            return 0;
        }
        if (status == 402 || strcmp(mode, "hasty") == 0)
            return 1;
    }
    return UNKNOWN;
}

int main(int argc, char **argv)
{
    mode = argc > 1 ? argv[1] : "keyed";
    return pay();
}
