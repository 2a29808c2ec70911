/* Where the server listens: at the loopback's addresses, and nowhere else. Internal to src/serve/. */
#pragma once

#include "base/error.h"

#include <stdint.h>

/* At 127.0.0.1 and, by the same port, at ::1: whoever says `localhost` may come to either, and must not find
 * somebody else's server there. A port of 0: one that is free at both. Returns the socket of IPv4, and puts that
 * of IPv6 into *newer (-1: there is no IPv6 here); both to be closed. Or a negative errno; -EADDRINUSE: the port
 * is taken at either. */
int listen_at_loopback(uint16_t port, int *newer, struct coz_error *err);

uint16_t listen_port(int fd);
