/* `coz plot`'s server: the page of a profile, and what is new about it while the profile is written. It listens on
 * the loopback only (127.0.0.1, and ::1 where there is IPv6), at a path that nobody can guess, and serves nothing
 * but pages of the profiles that it was given. docs/design/page.md tells what it answers. */
#pragma once

#include "base/error.h"
#include "serve/view.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct serve_options {
    char **profiles; /* each a page of its own */
    size_t profile_count;
    struct view_options view;
    uint16_t port; /* 0: one that is free */
    bool stays;    /* also when the last page is closed */
    /* A socket (SOCK_SEQPACKET) to the controller of the run that writes the first profile; 0: none. Wishes go
     * there, and nothing ends the server before it is closed at the other end, but two interrupts. */
    int controller;
    volatile sig_atomic_t *interrupts; /* counted by the caller's handler: the first ends the server */
    /* It listens: where the page is. */
    void (*ready)(void *context, const char *address, unsigned port);
    void *context;
};

/* Serves until it is interrupted, or some seconds after the last page was closed. 0 or a negative errno; -ENOSYS:
 * this coz was built without the server, and err says what to do; -ENOENT, -EISDIR, -EINVAL: a profile. */
int serve(const struct serve_options *options, struct coz_error *err);
