#include "serve/gate.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

int gate_init(struct gate *gate, uint16_t port, struct coz_error *err)
{
    unsigned char bytes[GATE_TOKEN_BYTES];
    gate->port = port;
    ssize_t got;
    do
        got = getrandom(bytes, sizeof bytes, 0);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof bytes)
        return error_set(err, got < 0 ? errno : EIO, "The kernel gives no random numbers: %s",
                         strerror(got < 0 ? errno : EIO));
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(gate->token + 2 * i, 3, "%02x", bytes[i]);
    return 0;
}

/* "NAME:PORT", with one of our names. */
static bool is_our_host(const struct gate *gate, const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char ours[40];
        snprintf(ours, sizeof ours, "%s:%u", names[i], gate->port);
        if (strcasecmp(host, ours) == 0)
            return true;
    }
    return false;
}

const char *gate_refusal(const struct gate *gate, const char *host, const char *origin)
{
    static const char scheme[] = "http://";
    if (!host || !is_our_host(gate, host))
        return "This server answers only when it is called 127.0.0.1, [::1] or localhost, with its own port.\n";
    if (origin && (strncasecmp(origin, scheme, sizeof scheme - 1) != 0 ||
                   !is_our_host(gate, origin + sizeof scheme - 1)))
        return "This server answers only pages of its own.\n";
    return NULL;
}

/* "/TOKEN/", in the same time wherever it differs. */
static bool has_token(const struct gate *gate, const char *path)
{
    size_t length = GATE_TOKEN - 1;
    unsigned differs = 0;
    if (strlen(path) < length + 2)
        return false;
    for (size_t i = 0; i < length; i++)
        differs |= (unsigned)(path[i + 1] ^ gate->token[i]);
    return differs == 0 && path[0] == '/' && path[length + 1] == '/';
}

/* A whole number up to 999, without zeroes before it; 0: it is none. *rest is what follows. */
static unsigned read_number(const char *text, const char **rest)
{
    unsigned number = 0;
    const char *c = text;
    for (; *c >= '0' && *c <= '9' && c < text + 3; c++)
        number = 10 * number + (unsigned)(*c - '0');
    *rest = c;
    return *text == '0' ? 0 : number;
}

struct gate_way gate_find(const struct gate *gate, const char *path)
{
    static const struct gate_way none = {PLACE_NONE, 0, 0};
    if (!has_token(gate, path))
        return none;
    static const char against[] = "/against/";
    const char *rest = path + GATE_TOKEN + 1;
    if (strcmp(rest, "profiles") == 0)
        return (struct gate_way){PLACE_PROFILES, 0, 0};
    if (strcmp(rest, "wishes") == 0)
        return (struct gate_way){PLACE_WISHES, 0, 0};
    unsigned number = read_number(rest, &rest);
    if (number > 0 && strcmp(rest, "/") == 0)
        return (struct gate_way){PLACE_PAGE, number, 0};
    if (number > 0 && strcmp(rest, "/events") == 0)
        return (struct gate_way){PLACE_EVENTS, number, 0};
    if (number > 0 && strcmp(rest, "/explain") == 0)
        return (struct gate_way){PLACE_EXPLAIN, number, 0};
    if (number > 0 && strncmp(rest, against, sizeof against - 1) == 0) {
        unsigned before = read_number(rest + sizeof against - 1, &rest);
        if (before > 0 && !*rest)
            return (struct gate_way){PLACE_AGAINST, number, before};
    }
    return none;
}
