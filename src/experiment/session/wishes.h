/* What somebody who watches a run wishes of it while it goes on: in words, from the other end of a socket
 * (SOCK_SEQPACKET), one message each, and each is answered: "ok", or why not.
 *
 *     first KIND LOCATION      that target is tried next, until it has blocks enough for an answer
 *     speedups PERMILLE...     these are tried from the next block on; below 0: slower
 *     stop                     the program is ended
 *
 * The other end is not trusted: whatever it says is a wish or is refused. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* No message is longer, with its zero byte. */
enum { WISH_BYTES = 4097, WISH_SPEEDUPS_MOST = 20 };

enum wish_kind { WISH_FIRST, WISH_SPEEDUPS, WISH_STOP };

struct wish {
    enum wish_kind kind;
    const char *target_kind, *location; /* parts of the text */
    int speedups[WISH_SPEEDUPS_MOST];   /* in permille */
    size_t speedup_count;
};

/* Reads a wish, and cuts the text to pieces for it. False: it is none. */
bool wish_parse(char *text, struct wish *wish);

struct session;

/* Does what is wished for at the moment, and waits for nothing. For the controller's loop. */
void wishes_take(struct session *session);
