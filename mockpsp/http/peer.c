#include "peer.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <stddef.h>

static bool is_loopback_v4(const struct in_addr *address)
{
    return ntohl(address->s_addr) >> 24 == 127;
}

static bool is_loopback_v6(const struct in6_addr *address)
{
    if (IN6_IS_ADDR_V4MAPPED(address))
        return address->s6_addr[12] == 127;
    return IN6_IS_ADDR_LOOPBACK(address);
}

bool peer_is_local(const struct sockaddr *address)
{
    if (address == NULL || address->sa_family == AF_UNIX)
        return true;
    if (address->sa_family == AF_INET)
        return is_loopback_v4(&((const struct sockaddr_in *)(const void *)address)->sin_addr);
    return address->sa_family == AF_INET6 &&
           is_loopback_v6(&((const struct sockaddr_in6 *)(const void *)address)->sin6_addr);
}

int peer_port(const struct sockaddr *address)
{
    if (address != NULL && address->sa_family == AF_INET)
        return ntohs(((const struct sockaddr_in *)(const void *)address)->sin_port);
    if (address != NULL && address->sa_family == AF_INET6)
        return ntohs(((const struct sockaddr_in6 *)(const void *)address)->sin6_port);
    return 0;
}
