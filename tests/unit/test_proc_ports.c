/* Ports for services, and whose connection is whose. */
#include "app_port.h"
#include "socket_owner.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int bound_to(int port)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)port),
                                  .sin_addr = {htonl(INADDR_LOOPBACK)}};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 1) == 0)
        return fd;
    close(fd);
    return -1;
}

static int port_of(int fd)
{
    struct sockaddr_in address;
    socklen_t length = sizeof address;
    cr_assert_eq(getsockname(fd, (struct sockaddr *)&address, &length), 0);
    return ntohs(address.sin_port);
}

Test(app_port, is_free_and_ours_alone)
{
    struct err_text why;
    struct app_port one = {0};
    struct app_port other = {0};
    cr_assert_eq(app_port_take(&one, &why), ERR_OK, "%s", why.text);
    cr_assert_eq(app_port_take(&other, &why), ERR_OK, "%s", why.text);
    cr_expect_neq(one.port, other.port);
    int fd = bound_to(one.port);
    cr_expect_geq(fd, 0, "nobody listens there");
    int taken = one.port;
    app_port_release(&one);
    cr_assert_eq(app_port_take(&one, &why), ERR_OK);
    cr_expect_neq(one.port, taken, "somebody listens there now");
    close(fd);
    app_port_release(&one);
    app_port_release(&other);
    app_port_release(&other); /* a zeroed one is fine */
}

/* What a client tells of itself. */
struct told {
    int port;
    pid_t pid;
};

Test(socket_owner, is_told_by_the_ports, .timeout = 30)
{
    int listener = bound_to(0);
    int port = port_of(listener);
    int report[2];
    cr_assert_eq(pipe(report), 0);
    pid_t keeper = fork();
    if (keeper == 0) {
        if (fork() == 0) {
            struct sockaddr_in to = {.sin_family = AF_INET,
                                     .sin_port = htons((uint16_t)port),
                                     .sin_addr = {htonl(INADDR_LOOPBACK)}};
            int fd = socket(AF_INET, SOCK_STREAM, 0);
            if (connect(fd, (struct sockaddr *)&to, sizeof to) != 0)
                _exit(1);
            struct told told = {port_of(fd), getpid()};
            if (write(report[1], &told, sizeof told) < 0)
                _exit(1);
            close(report[1]);
            pause();
        }
        close(report[1]);
        pause();
    }
    close(report[1]);
    struct told told = {0};
    cr_assert_eq(read(report[0], &told, sizeof told), (ssize_t)sizeof told);
    int local = told.port;
    cr_expect(socket_owner_below(keeper, local, port));
    cr_expect_not(socket_owner_below(keeper, port, local), "that end is ours");
    cr_expect_not(socket_owner_below(keeper, local + 1, port));
    pid_t other = fork();
    if (other == 0)
        pause();
    cr_expect_not(socket_owner_below(other, local, port));
    kill(other, SIGKILL);
    waitpid(other, NULL, 0);
    kill(told.pid, SIGKILL);
    kill(keeper, SIGKILL);
    waitpid(keeper, NULL, 0);
}
