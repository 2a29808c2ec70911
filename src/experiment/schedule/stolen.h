/* Time that the machine was not ours: a virtual machine's host ran somebody else on its processors. A window
 * in which much was stolen tells of the host, not of the program. Linux; elsewhere, and on bare metal,
 * nothing is ever stolen. */
#pragma once

#include "base/machine.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { STOLEN_WINDOWS = 64 };

/* The shares of the last windows. */
struct stolen {
    float shares[STOLEN_WINDOWS];
    size_t seen;
};

/* The share of the time between the two that was stolen, 0..1. */
double stolen_share(struct machine_ticks from, struct machine_ticks to);

/* Notes a window's share. Returns whether it is too much: more than a tenth, and more than in half of the
 * last windows, of which there are at least eight; so on a machine that is never ours half of the windows are
 * used. */
bool stolen_is_too_much(struct stolen *stolen, double share);
