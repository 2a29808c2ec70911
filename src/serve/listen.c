#include "serve/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The loopback's two addresses. */
union place {
    struct sockaddr any;
    struct sockaddr_in old;
    struct sockaddr_in6 new;
};

static union place loopback(int family, uint16_t port)
{
    union place place = {.any.sa_family = (sa_family_t)family};
    if (family == AF_INET) {
        place.old.sin_port = htons(port);
        place.old.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    } else {
        place.new.sin6_port = htons(port);
        place.new.sin6_addr = in6addr_loopback;
    }
    return place;
}

/* A socket that listens there, or a negative errno. */
static int listen_on(int family, uint16_t port)
{
    union place place = loopback(family, port);
    int on = 1, fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return -errno;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    socklen_t size = family == AF_INET ? sizeof place.old : sizeof place.new;
    if (bind(fd, &place.any, size) == 0 && listen(fd, 32) == 0)
        return fd;
    int code = errno;
    close(fd);
    return -code;
}

uint16_t listen_port(int fd)
{
    union place place = loopback(AF_INET, 0);
    socklen_t size = sizeof place;
    return getsockname(fd, &place.any, &size) == 0 ? ntohs(place.old.sin_port) : 0;
}

static int listen_at_both(uint16_t port, int *newer)
{
    int older = listen_on(AF_INET, port);
    if (older < 0)
        return older;
    *newer = listen_on(AF_INET6, listen_port(older));
    if (*newer != -EADDRINUSE) {
        *newer = *newer < 0 ? -1 : *newer;
        return older;
    }
    close(older);
    return -EADDRINUSE;
}

int listen_at_loopback(uint16_t port, int *newer, struct coz_error *err)
{
    enum { TRIES = 20 }; /* a port that is free at one address may be taken at the other */
    int fd = -EADDRINUSE;
    for (int i = 0; i < (port ? 1 : TRIES) && fd == -EADDRINUSE; i++)
        fd = listen_at_both(port, newer);
    if (fd == -EADDRINUSE && port)
        return error_set(err, EADDRINUSE,
                         "Port %u is taken. Name another with --port, or none: then a free one is found.",
                         port);
    return fd >= 0 ? fd : error_set(err, -fd, "Port %u cannot be listened at: %s", port, strerror(-fd));
}
