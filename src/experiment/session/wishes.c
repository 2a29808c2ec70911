#include "experiment/session/wishes.h"

#include "experiment/session/session_parts.h"

#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* Of those that wait, so many are read before the run goes on. */
enum { WISHES_AT_ONCE = 4 };

static bool parse_first(char *rest, struct wish *wish)
{
    char *space = strchr(rest, ' ');
    if (!space || space == rest || !space[1])
        return false;
    *space = '\0';
    wish->kind = WISH_FIRST;
    wish->target_kind = rest;
    wish->location = space + 1;
    return true;
}

static bool parse_speedups(const char *rest, struct wish *wish)
{
    bool changes_something = false;
    wish->kind = WISH_SPEEDUPS;
    wish->speedup_count = 0;
    while (*rest) {
        char *end;
        long permille = strtol(rest, &end, 10);
        if (end == rest || (*end && *end != ' ') || permille < -10000 || permille > 1000 ||
            wish->speedup_count == WISH_SPEEDUPS_MOST)
            return false;
        wish->speedups[wish->speedup_count++] = (int)permille;
        changes_something |= permille != 0;
        rest = *end ? end + 1 : end;
    }
    return changes_something;
}

bool wish_parse(char *text, struct wish *wish)
{
    static const char first[] = "first ", speedups[] = "speedups ";
    if (strcmp(text, "stop") == 0) {
        wish->kind = WISH_STOP;
        return true;
    }
    if (strncmp(text, first, sizeof first - 1) == 0)
        return parse_first(text + sizeof first - 1, wish);
    if (strncmp(text, speedups, sizeof speedups - 1) == 0)
        return parse_speedups(text + sizeof speedups - 1, wish);
    return false;
}

static const char *try_first(struct session *session, const struct wish *wish)
{
    uint32_t site = target_find(&session->names, wish->location);
    if (strcmp(wish->target_kind, target_kind(&session->names, site)) != 0)
        return "This run has targets of another kind.";
    if (!site)
        return "This run knows no such target.";
    int rc = targets_put_first(session_targets(session), site, target_count(&session->names));
    return rc == 0 ? NULL : "This run tries only the targets that it was told.";
}

static const char *use_speedups(struct session *session, const struct wish *wish)
{
    struct session_options *options = &session->options;
    memcpy(options->speedups, wish->speedups, wish->speedup_count * sizeof *wish->speedups);
    options->speedup_count = session->inputs.blocks.speedup_count = wish->speedup_count;
    return NULL;
}

/* NULL, or why not. */
static const char *grant(struct session *session, const struct wish *wish)
{
    if (wish->kind == WISH_STOP) {
        session_stop(session);
        return NULL;
    }
    if (session->options.end_to_end)
        return "This run is one experiment as a whole.";
    return wish->kind == WISH_FIRST ? try_first(session, wish) : use_speedups(session, wish);
}

void wishes_take(struct session *session)
{
    int fd = session->options.wishes;
    char text[WISH_BYTES];
    struct wish wish;
    for (int i = 0; fd && i < WISHES_AT_ONCE; i++) {
        ssize_t length = recv(fd, text, sizeof text - 1, MSG_DONTWAIT | MSG_TRUNC);
        if (length <= 0)
            return;
        bool is_whole = (size_t)length < sizeof text;
        text[is_whole ? (size_t)length : 0] = '\0';
        bool is_wish = is_whole && strlen(text) == (size_t)length && wish_parse(text, &wish);
        const char *refusal = is_wish ? grant(session, &wish) : "That is no wish.";
        const char *answer = refusal ? refusal : "ok";
        send(fd, answer, strlen(answer), MSG_DONTWAIT | MSG_NOSIGNAL);
    }
}
