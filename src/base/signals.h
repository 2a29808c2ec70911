/* Signals that a command catches. */
#pragma once

#include <signal.h>
#include <stddef.h>

/* From now on the action is what these do; but those that are ignored (by nohup, or in the background of a script) stay
 * so. */
void signals_catch(const int *numbers, size_t count, const struct sigaction *action);
