/* Who may use the control plane without a token. */
#include "peer.h"

#include <arpa/inet.h>
#include <criterion/criterion.h>
#include <netinet/in.h>
#include <sys/un.h>

static bool local_v4(const char *text)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    cr_assert_eq(inet_pton(AF_INET, text, &address.sin_addr), 1);
    return peer_is_local((const struct sockaddr *)&address);
}

static bool local_v6(const char *text)
{
    struct sockaddr_in6 address = {.sin6_family = AF_INET6};
    cr_assert_eq(inet_pton(AF_INET6, text, &address.sin6_addr), 1);
    return peer_is_local((const struct sockaddr *)&address);
}

Test(peer, loopback_is_this_machine)
{
    cr_assert(local_v4("127.0.0.1"));
    cr_assert(local_v4("127.255.0.9"));
    cr_assert(local_v6("::1"));
    cr_assert(local_v6("::ffff:127.0.0.1"));
}

Test(peer, anything_else_is_not)
{
    cr_assert_not(local_v4("192.0.2.7"));
    cr_assert_not(local_v4("10.0.0.1"));
    cr_assert_not(local_v4("0.0.0.0"));
    cr_assert_not(local_v4("128.0.0.1"));
    cr_assert_not(local_v6("2001:db8::1"));
    cr_assert_not(local_v6("fe80::1"));
    cr_assert_not(local_v6("::ffff:192.0.2.7"));
    cr_assert_not(local_v6("::"));
}

Test(peer, a_unix_socket_has_no_other_machine)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    cr_assert(peer_is_local((const struct sockaddr *)&address));
    cr_assert(peer_is_local(NULL));
}

Test(peer, an_unknown_family_is_a_stranger)
{
    struct sockaddr address = {.sa_family = AF_APPLETALK};
    cr_assert_not(peer_is_local(&address));
}
